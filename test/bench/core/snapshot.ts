import {execFileSync} from 'node:child_process';
import {startBenchServer, worldDirectory} from '#test/bench/bench-server.ts';
import {ms, printTable} from '#test/bench/table.ts';
import type {LoadReport} from './load-child.ts';

const rounds = 3;

/** Measures each load in a separate process, as a real start is. */
export async function snapshotCosts(sizes: readonly string[]): Promise<void> {
  const rows: string[][] = [];
  for (const size of sizes) {
    const served = await startBenchServer('--data', worldDirectory(size), '--size', size);
    const [you] = served.accounts;
    if (you === undefined) throw new Error('nobody to sign in as');
    try {
      const reports = Array.from({length: rounds}, () => load(served.url, you.email, you.api_key));
      reports.sort((a, b) => a.total - b.total);
      const middle = reports[1];
      if (middle !== undefined) rows.push(row(size, middle));
    } finally {
      await served.stop();
    }
  }
  printTable(
    'Loading a snapshot (middle of three)',
    ['world', 'request', 'to state', 'inbox rows', 'all', 'unread', 'users', 'RSS before', 'RSS after'],
    rows,
  );
}

function load(url: string, email: string, key: string): LoadReport {
  const output = execFileSync(process.execPath, ['test/bench/core/load-child.ts', url, email, key], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output);
}

function row(size: string, report: LoadReport): string[] {
  return [
    size,
    ms(report.request),
    ms(report.toState),
    ms(report.inbox),
    ms(report.total),
    String(report.unread),
    String(report.users),
    `${report.rssBefore} MiB`,
    `${report.rssAfter} MiB`,
  ];
}
