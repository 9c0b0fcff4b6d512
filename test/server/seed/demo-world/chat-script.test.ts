import {describe, expect, test} from 'vitest';
import {parseChatScript, readDemoData} from '#server/seed/demo-world/chat-script.ts';
import {planMessages} from '#server/seed/demo-world/plan-messages.ts';
import {parseWorldFile} from '#server/seed/demo-world/world-file.ts';
import {widgetEvents} from '#server/seed/demo-world.ts';

const script = `// a comment

== #the quay > a > b ==
!start -4w 09:12
!unread 1
you: Hello
  
  second paragraph
  %%done
  %react heart maren, bo
  %star
maren +3m:
  only here
  %edit +5m: new
      indented
    last
  %moved-from "old" in #galley by you +10m
  %id label
bo -1sun 10:00: bye: now
== @ you, bo ==
!start ~2h
bo: hi
`;

describe('parseChatScript', () => {
  const [first, second] = parseChatScript('x.chat', script);

  test('a header gives the destination, the start and the unread count', () => {
    expect(first).toMatchObject({
      destination: {kind: 'channel', channel: 'the quay', topic: 'a > b'},
      start: '-4w 09:12',
      unread: 1,
    });
    expect(second).toMatchObject({destination: {kind: 'direct', people: ['you', 'bo']}, unread: 0});
  });

  test('indented lines continue the text of a message', () => {
    expect(first?.messages.map(({sender, time, text}) => [sender, time, text])).toEqual([
      ['you', undefined, 'Hello\n\nsecond paragraph\n%done'],
      ['maren', '+3m', 'only here'],
      ['bo', '-1sun 10:00', 'bye: now'],
    ]);
  });

  test('%-lines become annotations of the message above', () => {
    expect(first?.messages[0]?.annotations).toMatchObject([
      {kind: 'react', emoji: 'heart', people: ['maren', 'bo']},
      {kind: 'star'},
    ]);
    expect(first?.messages[1]?.annotations).toMatchObject([
      {kind: 'edit', after: '5m', lines: ['new', '  indented', 'last']},
      {kind: 'moved-from', topic: 'old', channel: 'galley', by: 'you', after: '10m'},
      {kind: 'id', label: 'label'},
    ]);
  });

  test('a header without a topic name gives the empty topic', () => {
    expect(parseChatScript('x.chat', '== #a > ==\n!start ~1h\nyou: x')[0]?.destination).toMatchObject({
      topic: '',
    });
  });
});

const head = '== #a > b ==\n!start ~1h\n';

describe('an error in the data names its file and line', () => {
  test.each([
    ['you: hi', 'x.chat:1: the line belongs to no conversation'],
    ['== a > b ==', 'x.chat:1: “== a > b ==” is not the head of a conversation'],
    ['== @ you, ==', 'x.chat:1: “== @ you, ==” is not the head of a conversation'],
    [`${head}!unread x`, 'x.chat:3: “!unread x” is neither !start nor !unread'],
    [`${head}you +3m: hi`, 'x.chat:3: the first message has the time of !start and none of its own'],
    [`${head}you: hi\nyou: hi`, 'x.chat:4: the message has no time'],
    [`${head}you: hi\nYou said`, 'x.chat:4: “You said” is not a message'],
    [`${head}  lost`, 'x.chat:3: the line belongs to no message'],
    [`${head}you: hi\n  %wave x`, 'x.chat:4: “%wave” is not an annotation'],
    [`${head}you: hi\n  %react heart`, 'x.chat:4: “%react heart” does not have the form of %react'],
    [`${head}you: hi\n  %star\n  more`, 'x.chat:5: text comes after annotations'],
    [`${head}you:`, 'x.chat:3: the message is empty'],
    [head, 'x.chat:1: the conversation has no messages'],
    ['== #a > b ==\nyou: hi', 'x.chat:1: the conversation has no !start'],
    [`== #a > b ==\n!start ~1h\n!unread 2\nyou: hi`, 'x.chat:1: 2 unread of 1 messages'],
  ])('%j', (text, message) => {
    expect(() => parseChatScript('x.chat', text)).toThrow(message);
  });

  test('a message time that is wrong', () => {
    const plan = (text: string) => planMessages(parseChatScript('x.chat', text), Date.UTC(2026, 10, 11), 1);
    expect(() => plan(`${head}you: hi\nyou +2h: hi`)).toThrow('x.chat:4: the message is in the future');
    expect(() => plan(`${head}you: hi\nyou ~2h: hi`)).toThrow('x.chat:4: the message is older than');
    expect(() => plan('== #a > b ==\n!start soon\nyou: hi')).toThrow('x.chat:3: “soon” is not a time');
  });

  test('a world.json that does not match the schema', () => {
    expect(() => parseWorldFile('world.json', '{\n"people": [,]}')).toThrow('world.json:1: Unexpected token');
    expect(() => parseWorldFile('world.json', '{"organization": {}}')).toThrow(
      'world.json:1: organization.created_days_ago',
    );
  });
});

test('widgetEvents: votes, options and finished tasks become submessages', () => {
  const source = {file: 'x.chat', position: 1};
  const idOf = () => 7;
  const poll = widgetEvents(
    'poll',
    1,
    [
      {kind: 'vote-option', person: 'bo', option: 'late', source},
      {kind: 'poll-vote', person: 'bo', index: 1, source},
      {kind: 'poll-vote', person: 'bo', index: 0, source},
    ],
    idOf,
  );
  expect(poll.map(({content}) => JSON.parse(content))).toEqual([
    {type: 'new_option', idx: 1, option: 'late'},
    {type: 'vote', key: '7,1', vote: 1},
    {type: 'vote', key: 'canned,0', vote: 1},
  ]);
  const todo = widgetEvents('todo', 1, [{kind: 'todo-done', person: 'bo', index: 0, source}], idOf);
  expect(todo.map(({content}) => JSON.parse(content))).toEqual([{type: 'strike', key: '0,canned'}]);
  expect(() => widgetEvents('poll', 1, [{kind: 'poll-vote', person: 'bo', index: 1, source}], idOf)).toThrow(
    'x.chat:1: there is no number 1',
  );
});

const {conversations} = readDemoData();
const week = [9, 10, 11, 12, 13, 14, 15];

test.each(
  week.flatMap((day) =>
    [
      [0, 1],
      [9, 30],
      [17, 0],
      [23, 55],
    ].map(([hours, minutes]) => new Date(2026, 10, day, hours, minutes)),
  ),
)('planMessages: the demo scripts have ascending times when seeded on %s', (now) => {
  const planned = planMessages(conversations, now.getTime(), 1);
  expect(planned.every(({sentAt}, index) => sentAt >= (planned[index - 1]?.sentAt ?? 0))).toBe(true);
});
