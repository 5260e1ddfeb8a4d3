/** Prints rows under a title, columns aligned; numbers to the right. */
export function printTable(title: string, columns: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = [columns, ...rows.map((row) => row.map(String))];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[], numbers: boolean): string =>
    row.map((cell, at) => (numbers && at > 0 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))).join('  ');
  console.log(`\n${title}`);
  console.log(line(columns, true));
  for (const row of rows) console.log(line(row.map(String), true));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** A limit that a bench holds: printed with its verdict, and counted in the exit code. */
export class Limits {
  private broken = 0;

  check(what: string, value: number, limit: number, unit: string): void {
    const holds = value <= limit;
    if (!holds) this.broken += 1;
    console.log(`${holds ? 'holds ' : 'BROKEN'}  ${what}: ${value.toFixed(2)} ${unit} (limit ${limit} ${unit})`);
  }

  exit(): void {
    process.exitCode = this.broken === 0 ? 0 : 1;
  }
}
