import {printTable} from '#test/bench/table.ts';
import {requestSituations} from '#test/support/request-situations.ts';

/** Counts the requests of the program in each situation, besides the long poll. Times do not matter here. */
export async function requestCosts(): Promise<void> {
  const rows: string[][] = [];
  for (const {name, budget, measure} of requestSituations) {
    const {units, requests} = await measure();
    const bytes = requests.reduce((sum, request) => sum + (request.bytes ?? 0), 0);
    const count = requests.length / units;
    const kib = bytes / units / 1024;
    rows.push([name, count.toFixed(2), String(budget), count > budget ? 'over' : '', `${kib.toFixed(1)} KiB`]);
  }
  printTable('Requests besides the long poll', ['for each', 'requests', 'budget', '', 'responses'], rows);
}
