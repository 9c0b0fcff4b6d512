import {expect, test} from 'vitest';
import {suggestedEmojiChoices} from '#app/emoji/emoji-picker.ts';
import * as eg from '#test/support/state-builders.ts';

test('emoji choices: a used emoji is offered by a name that the server accepts, or not at all', () => {
  const names = {'1f97a': ['begging', 'pleading'], '1f44d': ['+1']};
  const account = eg.state({unicodeEmoji: {url: 'https://chat.example/emoji.json', names}});
  const used = [
    {emojiName: 'pleading', emojiCode: '1f97a', reactionType: 'unicode_emoji'},
    {emojiName: 'like', emojiCode: '1f44d', reactionType: 'unicode_emoji'},
    {emojiName: 'octopus', emojiCode: '1f419', reactionType: 'unicode_emoji'},
    {emojiName: 'gone', emojiCode: '7', reactionType: 'realm_emoji'},
  ];
  const offered = suggestedEmojiChoices(account, used).map(({emoji}) => emoji.emojiName);
  expect(offered.slice(0, 2)).toEqual(['pleading', '+1']);
  expect(offered).not.toContain('octopus');
  expect(offered).not.toContain('gone');
});
