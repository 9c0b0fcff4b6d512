/** The texts sent from this client, newest first. */
export type SentHistory = readonly string[];

const maxTexts = 500;

export function withSent(history: SentHistory, text: string): SentHistory {
  if (text.trim() === '' || history[0] === text) return history;
  return [text, ...history].slice(0, maxTexts);
}

/**
 * The position in the history while recalling. The text that was being written stays complete with its undo history.
 */
export interface Recall<Written> {
  /** The history when recalling started, so that a message sent meanwhile shifts nothing. */
  readonly history: SentHistory;
  readonly at: number;
  readonly written: Written;
}

export type Recalled<Written> =
  | {readonly kind: 'sent'; readonly text: string; readonly recall: Recall<Written>}
  | {readonly kind: 'written'; readonly written: Written};

/** Returns the text sent before the shown one; undefined at the end. */
export function recallOlder<Written>(
  recall: Recall<Written> | undefined,
  history: SentHistory,
  written: Written,
): Recalled<Written> | undefined {
  return recalled(recall === undefined ? {history, at: 0, written} : {...recall, at: recall.at + 1});
}

/** Returns the text sent after the shown one, and at the end the text that was being written. */
export function recallNewer<Written>(recall: Recall<Written>): Recalled<Written> {
  return recalled({...recall, at: recall.at - 1}) ?? {kind: 'written', written: recall.written};
}

function recalled<Written>(recall: Recall<Written>): Recalled<Written> | undefined {
  const text = recall.history[recall.at];
  return text === undefined ? undefined : {kind: 'sent', text, recall};
}

/** Whether the arrow keys may recall: the field is empty, or shows a recalled text unchanged. */
export function canRecall<Written>(recall: Recall<Written> | undefined, text: string): boolean {
  return text === '' || (recall !== undefined && recall.history[recall.at] === text);
}

/** Returns the sent texts that contain the query, ignoring case, newest first, without duplicates. */
export function sentMatches(history: SentHistory, query: string): readonly string[] {
  const foldedQuery = folded(query);
  return [...new Set(history)].filter((text) => folded(text).includes(foldedQuery));
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
