import type {DisplayOptions} from '#app/core/frame.ts';
import {uiGlyphs} from '#app/format/ui-glyphs.ts';
import {messageGlyphs} from '#app/timeline/lines/typeset.ts';

/** Explains the symbols, as this terminal shows them. */
export function symbolHelpText(display: DisplayOptions): string {
  const glyphs = uiGlyphs(display);
  const signs = messageGlyphs(display);
  const groups: readonly (readonly (readonly [sign: string, about: string])[])[] = [
    [
      [glyphs.followed, 'followed topic'],
      [glyphs.resolved, 'resolved topic'],
      [glyphs.draft, 'has a draft'],
      [glyphs.snoozed, 'back from snooze'],
      ['@4', 'unread, and you are mentioned'],
      ['!4', 'unread, with one of your alert words'],
    ],
    [
      [glyphs.online, 'active; of a group, someone is active'],
      [glyphs.idle, 'idle'],
      [glyphs.offline, 'offline'],
    ],
    [
      [signs.star, 'starred message'],
      [signs.dot, 'unread message'],
    ],
  ];
  return groups
    .map((group) => group.map(([sign, about]) => `  ${sign.padEnd(17)}${about}`).join('\n'))
    .join('\n\n');
}
