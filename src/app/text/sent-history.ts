/** What was sent from here, newest first. */
export type SentHistory = readonly string[];

const mostKept = 500;

export function withSent(history: SentHistory, text: string): SentHistory {
  if (text.trim() === '' || history[0] === text) return history;
  return [text, ...history].slice(0, mostKept);
}

/** Going through what was sent. What was being written waits, whole: a field with all its undo, or whatever it is. */
export interface Recall<Written> {
  /** As it was at the start, so that what is sent meanwhile moves nothing. */
  readonly history: SentHistory;
  readonly at: number;
  readonly written: Written;
}

export type Recalled<Written> =
  | {readonly kind: 'sent'; readonly text: string; readonly recall: Recall<Written>}
  | {readonly kind: 'written'; readonly written: Written};

/** The message before the one shown; nothing when there is none. */
export function recallOlder<Written>(
  recall: Recall<Written> | undefined,
  history: SentHistory,
  written: Written,
): Recalled<Written> | undefined {
  return recalled(recall === undefined ? {history, at: 0, written} : {...recall, at: recall.at + 1});
}

/** The one after it, and in the end what was being written. */
export function recallNewer<Written>(recall: Recall<Written>): Recalled<Written> {
  return recalled({...recall, at: recall.at - 1}) ?? {kind: 'written', written: recall.written};
}

function recalled<Written>(recall: Recall<Written>): Recalled<Written> | undefined {
  const text = recall.history[recall.at];
  return text === undefined ? undefined : {kind: 'sent', text, recall};
}

/** Whether the arrows may go through what was sent: there is nothing to lose, or nothing was changed. */
export function canRecall<Written>(recall: Recall<Written> | undefined, text: string): boolean {
  return text === '' || (recall !== undefined && recall.history[recall.at] === text);
}

/** What was sent and holds these letters in either case, newest first, each once. */
export function sentMatches(history: SentHistory, query: string): readonly string[] {
  const wanted = folded(query);
  return [...new Set(history)].filter((text) => folded(text).includes(wanted));
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
