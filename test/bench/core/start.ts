import {execFileSync} from 'node:child_process';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {startBenchServer, worldDirectory} from '#test/bench/bench-server.ts';
import {ms, printTable} from '#test/bench/table.ts';
import type {StartReport} from './start-child.ts';

const rounds = 5;

/**
 * Measures the time from the start of the process to an inbox that could be painted, from the network and from disk.
 */
export async function startCosts(sizes: readonly string[]): Promise<void> {
  const rows: string[][] = [['(floor: a process that does nothing)', ms(bareStart()), '', '', '', '']];
  for (const size of sizes) {
    const served = await startBenchServer('--data', worldDirectory(size), '--size', size);
    const [you] = served.accounts;
    if (you === undefined) throw new Error('nobody to sign in as');
    const disk = join(worldDirectory(size), 'bench-client.db');
    const start = (path: string) => startOnce([served.url, you.email, you.api_key, path]);
    try {
      rows.push(
        row(
          `${size}, no disk`,
          middle(() => start(':memory:')),
        ),
      );
      start(disk);
      rows.push(
        row(
          `${size}, with disk`,
          middle(() => start(disk)),
        ),
      );
    } finally {
      await served.stop();
      for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(`${disk}${suffix}`, {force: true});
    }
  }
  printTable(
    `Start to usable (middle of ${rounds})`,
    ['world', 'process up', 'inbox from disk', 'inbox from network', 'rows', 'RSS'],
    rows,
  );
}

function bareStart(): number {
  const samples = Array.from({length: rounds}, () => {
    const start = performance.now();
    execFileSync(process.execPath, ['-e', '']);
    return performance.now() - start;
  });
  return samples.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
}

function startOnce(args: readonly string[]): StartReport {
  const output = execFileSync(process.execPath, ['test/bench/core/start-child.ts', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output);
}

function middle(once: () => StartReport): StartReport {
  const reports = Array.from({length: rounds}, once);
  const usable = (report: StartReport) => report.restored ?? report.online;
  const [found] = reports.sort((a, b) => usable(a) - usable(b)).slice(Math.floor(rounds / 2));
  if (found === undefined) throw new Error('no rounds');
  return found;
}

function row(name: string, report: StartReport): string[] {
  return [
    name,
    ms(report.loaded),
    report.restored === undefined ? '-' : ms(report.restored),
    ms(report.online),
    String(report.rows),
    `${report.rss} MiB`,
  ];
}
