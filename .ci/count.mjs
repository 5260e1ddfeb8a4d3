// Prints the closing line of a run: how many tests passed and failed, over Vitest's report and the Python examples' counts.
import { readFileSync } from 'node:fs';

const [vitest, python] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
console.log(`${vitest.numPassedTests + python.passed} passed, ${vitest.numFailedTests + python.failed} failed`);
