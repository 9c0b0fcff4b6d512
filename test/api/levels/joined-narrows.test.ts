import {expect, test} from 'vitest';
import {orTerm} from '#wire/narrow.ts';
import {levelFixture, unreadIds} from './level-fixture.ts';

const topic = (operand: string) => ({operator: 'topic', operand});

test.each([122, 509])(
  'level %i: narrows that are joined by or are one list without gaps or repetitions',
  async (level) => {
    const {api, say} = await levelFixture(level);
    const ids: number[] = [];
    // The topic `rare` has few messages, so that the pages of the parts cover different ranges.
    for (let index = 0; index < 12; index++)
      ids.push(await say(`m${index}`, index % 6 === 0 ? 'rare' : index % 2 === 0 ? 'even' : 'odd'));
    const narrow = [
      orTerm([topic('rare')]),
      orTerm([topic('even')]),
      orTerm([topic('even'), {operator: 'search', operand: 'm2'}]),
    ];
    const wanted = ids.filter((_id, index) => index % 2 === 0);
    const page = async (args: Parameters<typeof api.getMessages>[0]) => {
      const {messages, found_oldest, found_newest} = await api.getMessages({apply_markdown: false, narrow, ...args});
      return {ids: messages.map(({id}) => id), oldest: found_oldest, newest: found_newest};
    };
    // Paging back, each page begins where the one before ended.
    const seen: number[] = [];
    let next: {anchor: number | 'newest'; include_anchor: boolean} = {anchor: 'newest', include_anchor: true};
    for (let round = 0; round < 12; round++) {
      const {ids: some, oldest} = await page({...next, num_before: 2, num_after: 0});
      seen.unshift(...some);
      if (oldest === true) break;
      next = {anchor: some[0] ?? 0, include_anchor: false};
    }
    expect(seen).toEqual(wanted);
    expect(await page({anchor: 'oldest', num_before: 0, num_after: 50})).toEqual({
      ids: wanted,
      oldest: true,
      newest: true,
    });
    expect((await page({anchor: wanted[3] ?? 0, num_before: 1, num_after: 1})).ids).toContain(wanted[3]);
  },
);

test('joined narrows open at the first unread message of any part, and are flagged and matched part by part', async () => {
  const {api, say, server, meg} = await levelFixture(509);
  const ids = [await say('1', 'a'), await say('2', 'b'), await say('3', 'a'), await say('4', 'b'), await say('5', 'c')];
  await api.updateFlags({messages: [ids[0] ?? 0, ids[1] ?? 0], op: 'add', flag: 'read'});
  const narrow = [orTerm([topic('b')]), orTerm([topic('a')])];
  const page = await api.getMessages({narrow, anchor: 'first_unread', num_before: 5, num_after: 5});
  expect([page.anchor, page.messages.map(({id}) => id)]).toEqual([ids[2], ids.slice(0, 4)]);
  const matched = await api.matchNarrow({msg_ids: ids, narrow});
  expect(Object.keys(matched.messages).map(Number)).toEqual(ids.slice(0, 4));
  const [past, search] = [
    {operator: 'before', operand: 1000},
    {operator: 'search', operand: '3'},
  ];
  const dated = [orTerm([topic('b'), past]), orTerm([search])];
  expect(Object.keys((await api.matchNarrow({msg_ids: ids, narrow: dated})).messages).map(Number)).toEqual([ids[2]]);
  await api.flagNarrow({narrow, op: 'add', flag: 'read'});
  expect(await unreadIds(server, meg)).toEqual([ids[4]]);
});
