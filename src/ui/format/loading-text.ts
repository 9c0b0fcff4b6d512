import {hasServerState} from '#state/initial-state.ts';
import type {Frame} from '#ui/core/frame.ts';
import {uiGlyphs} from './ui-glyphs.ts';

/** Returns the text in place of what is not known before the first registration; undefined after it. */
export function loadingText({account, display}: Pick<Frame, 'account' | 'display'>): string | undefined {
  if (hasServerState(account)) return undefined;
  return account.connection.phase === 'starting' ? `Loading${uiGlyphs(display).ellipsis}` : 'Not connected yet.';
}
