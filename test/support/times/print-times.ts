import {existsSync} from 'node:fs';
import {readTestTimes, type Timed, timesFile} from './test-times.ts';

const rowCount = 30;

function printSlowest(title: string, rows: readonly Timed[], key: 'cpuSeconds' | 'wallSeconds'): void {
  console.log(`\n${title}\n\n CPU s  wall s`);
  for (const {name, cpuSeconds, wallSeconds} of rows.toSorted((a, b) => b[key] - a[key]).slice(0, rowCount)) {
    console.log(`${cpuSeconds.toFixed(2).padStart(6)}  ${wallSeconds.toFixed(2).padStart(6)}  ${name}`);
  }
}

if (!existsSync(timesFile)) {
  console.error('No test run is recorded here. Run npm test first.');
  process.exit(1);
}
const {files, tests} = readTestTimes();
printSlowest('Files by CPU time, with their imports', files, 'cpuSeconds');
printSlowest('Tests by CPU time', tests, 'cpuSeconds');
printSlowest('Files by wall time', files, 'wallSeconds');
printSlowest('Tests by wall time', tests, 'wallSeconds');
