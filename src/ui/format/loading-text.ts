import {hasServerState} from '#state/initial-state.ts';
import type {Frame} from '#ui/core/frame.ts';
import {plainGlyphText, uiGlyphs} from './ui-glyphs.ts';

/** Returns the text in place of what is not known before the first registration; undefined after it. */
export function loadingText({account, display}: Pick<Frame, 'account' | 'display'>): string | undefined {
  if (hasServerState(account)) return undefined;
  return account.connection.phase === 'starting' ? `Loading${uiGlyphs(display).ellipsis}` : 'Not connected yet.';
}

/** Returns the sentence about what could not be fetched, with the key that fetches it again. */
export function loadFailureText(frame: Frame, subject: string, reason: string): string {
  const key = retryKey(frame);
  const retry = key === undefined ? '' : ` · ${key} ${retryEffect}`;
  return plainGlyphText(`${subject} could not be loaded: ${reason}${retry}`, frame.display);
}

export const retryEffect = 'tries again';

/** Returns the key that fetches again what could not be loaded. */
export function retryKey(frame: Frame): string | undefined {
  return frame.info.keys?.workingKey(frame, ['app.redraw']);
}
