/** The worker's side of `highlight-worker.ts`. */

import {parentPort} from 'node:worker_threads';
import {type HighlightedLine, highlightLines, loadGrammar} from './highlight-lines.ts';

export interface HighlightJob {
  readonly grammar: string;
  readonly code: string;
}

/** `begun` is sent when the grammar is loaded. */
export type WorkerReply = 'begun' | {readonly lines: readonly HighlightedLine[] | undefined};

parentPort?.on('message', async ({grammar, code}: HighlightJob) => {
  const reply = (value: WorkerReply): void => parentPort?.postMessage(value);
  try {
    await loadGrammar(grammar);
    reply('begun');
    reply({lines: highlightLines(grammar, code)});
  } catch {
    reply({lines: undefined}); // On any error the code is shown without colours.
  }
});
