import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import {parseSearch, searchNote, searchText} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import * as eg from '#test/support/state-builders.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {type NarrowTerm, operands, orTerm} from '#wire/narrow.ts';

const state = eg.state({
  users: eg.users(
    eg.user({fullName: 'Me Myself'}),
    eg.user({id: 11, fullName: 'Ann Lee', email: 'ann@example.com', deliveryEmail: 'ann@example.com'}),
    eg.user({id: 12, fullName: 'Bo'}),
    eg.user({id: 13, fullName: 'Twin'}),
    eg.user({id: 14, fullName: 'Twin', deliveryEmail: undefined}),
    eg.user({id: 15, fullName: 'Past', isActive: false}),
    eg.user({id: 16, fullName: 'past'}),
    eg.user({id: 17, fullName: 'Lee, Ann'}),
    eg.user({id: 18, fullName: 'me'}),
    eg.user({id: 19, fullName: '12'}),
    eg.user({id: 20, fullName: 'Say "hi" + \\o/'}),
  ),
  channels: eg.byId(
    eg.channel({id: 1, name: 'web'}),
    eg.channel({id: 2, name: 'C++ & "co"'}),
    eg.channel({id: 3, name: '2'}),
    eg.channel({id: 4, name: 'two words'}),
  ),
});

function narrow(text: string, account: AccountState = state): Narrow {
  const {narrow: terms, problems} = parseSearch(account, text);
  expect(problems).toEqual([]);
  return terms;
}

test('parseSearch: operators, quotes, plus signs, negation, and remaining words', () => {
  expect(narrow('channel:web topic:"a b" hello  world')).toEqual([
    {operator: 'channel', operand: 1},
    {operator: 'topic', operand: 'a b'},
    {operator: 'search', operand: 'hello world'},
  ]);
  expect(narrow('stream:two+words -topic:a+b')).toEqual([
    {operator: 'channel', operand: 4},
    {operator: 'topic', operand: 'a b', negated: true},
  ]);
  expect(narrow('-is:unread has:link in:home channels:public')).toEqual([
    {operator: 'is', operand: 'unread', negated: true},
    {operator: 'has', operand: 'link'},
    {operator: 'in', operand: 'home'},
    {operator: 'channels', operand: 'public'},
  ]);
  expect(narrow('topic:"" near:5 id:6 with:7')).toEqual([
    {operator: 'topic', operand: ''},
    {operator: 'near', operand: 5},
    {operator: 'id', operand: 6},
    {operator: 'with', operand: 7},
  ]);
  expect(narrow('"exact phrase" more -minus https://x.example/a:b')).toEqual([
    {operator: 'search', operand: '"exact phrase" more -minus https://x.example/a:b'},
  ]);
  expect(narrow('topic:"say \\"hi\\" \\o/"')).toEqual([{operator: 'topic', operand: 'say "hi" \\o/'}]);
  expect(narrow('Stream:web -TOPIC:tea')).toEqual([
    {operator: 'channel', operand: 1},
    {operator: 'topic', operand: 'tea', negated: true},
  ]);
  expect(narrow('   ')).toEqual([]);
});

test('parseSearch: users by name, email, id and `me`', () => {
  expect(narrow('sender:ann+lee')).toEqual([{operator: 'sender', operand: 11}]);
  expect(narrow('from:ANN@example.com')).toEqual([{operator: 'sender', operand: 11}]);
  expect(narrow('sender:me')).toEqual([{operator: 'sender', operand: eg.selfId}]);
  expect(narrow('-sender:hi')).toEqual([{operator: 'sender', operand: 20, negated: true}]);
  expect(narrow('channel:words')).toEqual([{operator: 'channel', operand: 4}]);
  expect(narrow('sender:999')).toEqual([{operator: 'sender', operand: 999}]);
  expect(narrow('sender:Twin|14')).toEqual([{operator: 'sender', operand: 14}]);
  expect(narrow('sender:past')).toEqual([{operator: 'sender', operand: 16}]);
  expect(narrow('pm-with:bo,"Ann Lee",me')).toEqual([{operator: 'dm', operand: [11, 12]}]);
  expect(narrow('dm:me')).toEqual([{operator: 'dm', operand: []}]);
  expect(narrow('is:private')).toEqual([{operator: 'is', operand: 'dm'}]);
  expect(narrow('dm-including:bo mentions:me')).toEqual([
    {operator: 'dm-including', operand: 12},
    {operator: 'mentions', operand: eg.selfId},
  ]);
});

test.each([
  ['channel:wbe', 'There is no channel called “wbe”. Did you mean “web”?'],
  ['channel:webb', 'There is no channel called “webb”. Did you mean “web”?'],
  ['sender:nobody', 'No user is called “nobody”.'],
  ['sender:an', '2 people match “an”: Ann Lee, Lee, Ann.'],
  ['-dm-including:an', '2 people match “an”: Ann Lee, Lee, Ann.'],
  ['dm:bo,nobody', 'No user is called “nobody”.'],
  ['mentions:nobody', 'No user is called “nobody”.'],
  ['channel:w', '2 channels match “w”: web, two words.'],
  ['sender:twin', '2 users are called “twin”: write Twin|13 (person13@example.com) or Twin|14 (person14@example.com).'],
  [
    'is:unred',
    '“is:” can be dm, starred, unread, mentioned, alerted, resolved, followed or muted, not “unred”. Did you mean “unread”?',
  ],
  ['date:2026-05-12', '“date:” is not a search operator. Write after:2026-05-12 before:2026-05-13.'],
  ['-search:tea', 'Servers cannot exclude words: leave out “-search:tea”.'],
  ['near:x', '“near:” needs a message ID.'],
  ['topic:', '“topic:” needs a value after the colon.'],
  ['topic:"open', 'A closing quotation mark is missing.'],
  ['chanel:web', '“chanel:” is not a search operator. Did you mean “channel:”?'],
  ['channel:web dm:bo', 'No message is both in a channel and a direct message.'],
  ['topic:tea dm-including:bo', 'No message is both in a channel and a direct message.'],
  ['is:resolved is:dm', 'No message is both in a channel and a direct message.'],
])('parseSearch: %s is refused with a sentence', (text, sentence) => {
  const {problems} = parseSearch(state, text);
  expect(problems).toEqual([sentence]);
});

test('parseSearch: unsupported terms are reported, terms with an older name are not', () => {
  const old = {...state, server: {...state.server, level: 122}};
  expect(parseSearch(old, 'is:followed').problems).toEqual([
    '“is:followed”: Needs Zulip 9 (feature level 265). This server has level 122.',
  ]);
  expect(parseSearch(old, 'with:5').problems).toHaveLength(1);
  expect(narrow('channel:web -is:starred', old)).toHaveLength(2);
  expect(narrow('dm:bo is:dm dm-including:bo', old)).toHaveLength(3);
});

const texts = fc.oneof(
  fc.constantFrom('a', 'two words', 'C++', '"', '\\', 'a\\"b', 'is:unread', ' x', 'x ', 'a  b', '-a', 'x:y', '✔ z'),
  fc.string({minLength: 1, maxLength: 8}).filter((text) => text.trim() !== ''),
);
const userIds = fc.constantFrom(11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 77);
const someone = fc.oneof(userIds, fc.constant(eg.selfId));

function oneOf<K extends keyof typeof operands>(operator: K): fc.Arbitrary<NarrowTerm> {
  return fc.constantFrom(...Object.keys(operands[operator])).map((operand) => ({operator, operand}));
}

const terms: fc.Arbitrary<NarrowTerm> = fc.oneof(
  fc.constantFrom(1, 2, 3, 4, 50).map((operand): NarrowTerm => ({operator: 'channel', operand})),
  texts
    .map((text) => text.trim())
    .filter((text) => text.toLowerCase() !== 'general chat')
    .map((operand): NarrowTerm => ({operator: 'topic', operand})),
  fc.constant<NarrowTerm>({operator: 'topic', operand: ''}),
  fc
    .uniqueArray(userIds, {maxLength: 3})
    .map((ids): NarrowTerm => ({operator: 'dm', operand: ids.sort((a, b) => a - b)})),
  fc
    .tuple(fc.constantFrom('sender', 'dm-including', 'mentions', 'group-pm-with'), someone)
    .map(([operator, operand]): NarrowTerm => ({operator, operand})),
  fc
    .tuple(fc.constantFrom('id', 'near', 'with'), fc.nat())
    .map(([operator, operand]): NarrowTerm => ({operator, operand})),
  texts.map((operand): NarrowTerm => ({operator: 'search', operand})),
  oneOf('is'),
  oneOf('has'),
  oneOf('in'),
  oneOf('channels'),
);

test('searchText: parsing it returns the same narrow', () => {
  const narrows = fc.array(
    fc
      .tuple(terms, fc.boolean())
      // Words cannot be excluded.
      .map(([term, negated]): NarrowTerm => (negated && term.operator !== 'search' ? {...term, negated} : term)),
    {maxLength: 5},
  );
  fc.assert(
    fc.property(narrows, (view) => {
      const text = searchText(view, state);
      expect(parseSearch(state, text).narrow, text).toEqual(view);
    }),
    {numRuns: fewOrAll(125, 500)},
  );
});

test('parseSearch: accepts any text', () => {
  fc.assert(
    fc.property(fc.string({maxLength: 40}), fc.constantFrom('', 'topic:', 'dm:', 'sender:"'), (text, start) => {
      const {narrow: view} = parseSearch(state, start + text);
      expect(parseSearch(state, searchText(view, state)).narrow).toEqual(view);
    }),
  );
});

test('parseSearch: after: and before: take the words that other dates take, and say what is not a date', () => {
  const now = new Date(2026, 10, 17, 13, 30).getTime();
  const bound = (text: string) => parseSearch(state, text, 'partial', now).narrow[0]?.operand;
  const seconds = (...day: [number, number, number?, number?]) => new Date(2026, ...day).getTime() / 1000;
  expect(bound('after:2026-05-12')).toBe(seconds(4, 12));
  expect(bound('before:"2026-05-12 14:30"')).toBe(seconds(4, 12, 14, 30));
  expect(bound('after:2026-05-12T14:30:00Z')).toBe(Date.UTC(2026, 4, 12, 14, 30) / 1000);
  expect(bound('after:yesterday')).toBe(seconds(10, 16));
  expect(bound('after:mon')).toBe(seconds(10, 16));
  expect(bound('after:2h')).toBe(seconds(10, 17, 11, 30));
  expect(bound('after:"3 weeks"')).toBe(seconds(9, 27, 13, 30));
  expect(bound('before:12+may')).toBe(seconds(4, 12));
  expect(bound('before:"tomorrow 9:00"')).toBe(seconds(10, 18, 9));
  expect(parseSearch(state, 'soup after:noon', 'partial', now).problems).toEqual([
    '“noon” is not a date. Write 2026-05-12, yesterday, mon or "12 May 14:00".',
  ]);
  const {narrow} = parseSearch(state, '-after:2026-05-12 before:"2026-05-12 14:30" soup', 'partial', now);
  expect(searchText(narrow, state)).toBe('-after:2026-05-12 before:"2026-05-12 14:30" soup');
});

test('searchNote: names a word with a minus, which servers ignore; dashes elsewhere are none', () => {
  expect(searchNote('deploy -now')).toBe('Servers cannot exclude words: “-now” is searched as “now”');
  expect(searchNote('"-now" a - b well-known -- -channel:web')).toBeUndefined();
});

test('searchNote: names words that look like operators; links, times and known operators are none', () => {
  expect(searchNote('author:ada soup')).toBe('“author:” is not an operator: searched as text');
  expect(searchNote('author:ada until:now')).toBe('“author:”, “until:” are not operators: searched as text');
  expect(searchNote('author:ada -now')).toBe('“author:” is not an operator: searched as text');
  expect(searchNote('sender:ada after:mon https://example.com 10:30 :tada: std::map')).toBeUndefined();
});

test('parseSearch: OR joins searches, and the text of the narrow is the same search', () => {
  const text = 'channel:web OR channel:"two words" is:mentioned OR hello';
  const joined = narrow(text);
  expect(joined).toEqual([
    orTerm([{operator: 'channel', operand: 1}]),
    orTerm([
      {operator: 'channel', operand: 4},
      {operator: 'is', operand: 'mentioned'},
    ]),
    orTerm([{operator: 'search', operand: 'hello'}]),
  ]);
  expect(searchText(joined, state)).toBe(text);
  expect(searchText([...joined.slice(0, 2), {operator: 'is', operand: 'unread'}], state)).toBe(
    'channel:web is:unread OR channel:"two words" is:mentioned is:unread',
  );
  // The order of the parts makes no difference.
  expect(narrowKey(narrow('is:dm OR is:starred'))).toBe(narrowKey(narrow('is:starred OR is:dm')));
  // Other spellings are words.
  expect(narrow('this or that "OR"')).toEqual([{operator: 'search', operand: 'this or that "OR"'}]);
  expect(searchText([{operator: 'search', operand: 'a OR b'}], state)).toBe('search:"a OR b"');
});

test('parseSearch: an OR without a search beside it, too many of them, and messages by id are refused', () => {
  const needsBoth = '“OR” needs a search on both sides. Write "OR" in quotes to search for the word.';
  for (const text of ['OR', 'is:dm OR', 'OR is:dm', 'is:dm OR OR is:unread'])
    expect(parseSearch(state, text)).toMatchObject({problems: [needsBoth], isMalformed: true});
  expect(narrow(Array(8).fill('x').join(' OR '))).toHaveLength(8);
  expect(parseSearch(state, Array(9).fill('x').join(' OR ')).problems).toEqual(['“OR” can join at most 8 searches.']);
  expect(parseSearch(state, 'near:5 OR is:dm').problems).toEqual([
    '“near:” names one message and cannot be joined by “OR”.',
  ]);
  expect(parseSearch(state, 'is:dm OR with:5').problems).toEqual([
    '“with:” names one message and cannot be joined by “OR”.',
  ]);
  expect(parseSearch(state, 'channel:nowhere OR is:dm')).toMatchObject({problems: {length: 1}, isMalformed: false});
  expect(parseSearch(state, 'is:dm OR near:x')).toMatchObject({problems: {length: 1}, isMalformed: true});
});

test('searchText: a date has its time unless that is midnight, and a name that several have is an id', () => {
  const text = (...terms: Narrow) => searchText(terms, state);
  const bound = (...time: [hour: number, minute: number]) => new Date(2026, 4, 12, ...time).getTime() / 1000;
  expect(text({operator: 'after', operand: bound(0, 0)})).toBe('after:2026-05-12');
  expect(text({operator: 'before', operand: bound(0, 30)})).toBe('before:"2026-05-12 00:30"');
  const twins = {...state, channels: eg.byId(eg.channel({id: 1, name: 'web'}), eg.channel({id: 2, name: 'web'}))};
  expect(searchText([{operator: 'channel', operand: 1}], twins)).toBe('channel:1');
});

test('parseSearch: what excludes direct messages or channels goes with the other, and what asks for both does not', () => {
  const none = ['No message is both in a channel and a direct message.'];
  const problems = (text: string) => parseSearch(state, text).problems;
  expect(problems('channel:web dm:Bo')).toEqual(none);
  expect(problems('topic:x is:dm')).toEqual(none);
  expect(problems('channel:web -dm:Bo')).toEqual([]);
  expect(problems('channel:web -is:dm')).toEqual([]);
  expect(problems('-channel:web dm:Bo')).toEqual([]);
  expect(problems('is:followed dm-including:Bo')).toEqual(none);
});
