import {askRunning} from '#cli/control/ask-running.ts';
import type {ownStatus} from '#cli/messages/unread-overview.ts';
import {printableLine} from '#std/printable.ts';
import type {VerbResult, VerbRunner} from './verb-table.ts';

type OwnStatus = ReturnType<typeof ownStatus>;

export const status: VerbRunner<'status'> = async (verbArguments, io, signal) => {
  const {values, words} = verbArguments;
  const {user, emoji, clear, away, back} = values;
  const isAsked = words.length === 0 && user === undefined && emoji === undefined && !(clear || away || back);
  const running = isAsked ? ((await askRunning(values, io, 'own-status.get')) as OwnStatus | undefined) : undefined;
  if (running !== undefined) return statusResult(running);
  const {statusFromServer} = await import('./server-status.ts');
  return statusFromServer(verbArguments, io, signal);
};

/** Returns the result about a status; `isAway` is given for one's own. */
export function statusResult(json: Omit<OwnStatus, 'isAway'> & Partial<OwnStatus>): VerbResult {
  const {text, emojiName, isAway = false} = json;
  const parts = [...(emojiName === '' ? [] : [`:${emojiName}:`]), ...(text === '' ? [] : [printableLine(text)])];
  const shown = parts.length === 0 ? 'No status.' : parts.join(' ');
  return {json, text: isAway ? `${shown} (invisible)` : shown};
}
