import type {FetchKey} from '#state/fetches/fetch-state.ts';
import {type Frame, fetchState} from '#ui/core/frame.ts';
import {paneFrame} from '#ui/core/working-keys.ts';
import {loadFailureText} from '#ui/format/loading-text.ts';
import {uiGlyphs} from '#ui/format/ui-glyphs.ts';
import type {ListNote} from './list-source.ts';

/** A list that a fetch fills and that is not complete. */
interface IncompleteList {
  /** What it lists: `topics`. */
  readonly noun: string;
  readonly fetch: FetchKey;
  /** Whether nothing of it is known. */
  readonly isEmpty: boolean;
}

/** Returns what the list says of its fetch: that it runs, why it failed, or that there is only what was saved. */
export function fetchNote(frame: Frame, {noun, fetch, isEmpty}: IncompleteList): ListNote | undefined {
  const {phase} = frame.account.connection;
  const subject = `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`;
  if (phase !== 'online' && phase !== 'starting') {
    const text = isEmpty
      ? `The ${noun} are not saved on this machine. They load when back online.`
      : `Offline: showing saved ${noun}`;
    return {text, role: 'dim'};
  }
  const {error} = fetchState(frame, fetch);
  if (error !== undefined) return {text: loadFailureText(paneFrame(frame), subject, error), role: 'warning'};
  return isEmpty ? {text: `Loading ${noun}${uiGlyphs(frame.display).ellipsis}`, role: 'dim'} : undefined;
}
