import type {DisplayOptions} from '#app/core/frame.ts';
import {uiGlyphs} from '#app/format/ui-glyphs.ts';
import {messageGlyphs} from '#app/timeline/lines/typeset.ts';

/** What the signs mean, as this terminal shows them. */
export function symbolHelpText(looks: DisplayOptions): string {
  const glyphs = uiGlyphs(looks);
  const signs = messageGlyphs(looks);
  const groups: readonly (readonly (readonly [sign: string, about: string])[])[] = [
    [
      [glyphs.followed, 'a topic that you follow'],
      [glyphs.resolved, 'a topic that is resolved'],
      [glyphs.draft, 'something you began to write there'],
      [glyphs.snoozed, 'back, after you put it off'],
      ['@4', 'unread, and you are mentioned'],
      ['!4', 'unread, with one of your alert words'],
    ],
    [
      [glyphs.online, 'is there; of a group, somebody is'],
      [glyphs.idle, 'was there a moment ago'],
      [glyphs.offline, 'is not there'],
    ],
    [
      [signs.star, 'a message that you starred'],
      [signs.dot, 'a message that is unread'],
    ],
  ];
  return groups
    .map((group) => group.map(([sign, about]) => `  ${sign.padEnd(17)}${about}`).join('\n'))
    .join('\n\n');
}
