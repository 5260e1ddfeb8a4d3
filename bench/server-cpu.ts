/** CPU seconds (user and system, all threads) that a server has used, as its /metrics tells. */
export async function cpuSeconds(url: string): Promise<number> {
  return metric(url, 'process_cpu_seconds_total');
}

/** Resident memory of a server in MB. */
export async function residentMegabytes(url: string): Promise<number> {
  return (await metric(url, 'process_resident_memory_bytes')) / 1e6;
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  if (line === undefined) throw new Error(`no ${name} in /metrics`);
  return Number(line.slice(name.length + 1));
}
