import makeBidi from 'bidi-js/dist/bidi.mjs';
import {expect, onTestFinished, test} from 'vitest';
import {notificationText} from '#app/watchers/notifications.ts';
import type {TableVerbName} from '#cli/verbs/run-verb.ts';
import {withoutIsolates} from '#std/composed-text.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {sequenceText} from '#terminal/control-sequences.ts';
import {type IoOptions, verbFixture} from '#test/cli/verbs/verb-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {type CountedApp, countTimers, openApp} from '#test/support/request-counter.ts';
import {testServer} from '#test/support/server.ts';
import {fewOf, fewOrAll, slowTest} from '#test/support/tier.ts';
import {EmulatedStdout} from '#test/ui/ink/emulated-stdout.ts';
import {writeStream} from '#test/ui/ink/output-fuzz.ts';
import {silentStdin} from '#test/ui/ink/scene-fuzz.ts';
import {windowTitle} from '#ui/header/header-line.ts';
import {mountScreen} from './mount-screen.tsx';

/**
 * Every value that people write is in one script: Cyrillic, which is read from the left, or Hebrew or Arabic. The letters have the same
 * alphabetical order in all three. So all screens must be the same when each value is replaced by its counterpart: a value that changed
 * the place of something else would be found. Values have a digit or a sign at the end, which such a value attracts.
 */
const scripts = {
  cyrillic: 'абвгдежзиклмнопрстуфхцчшыэю',
  hebrew: 'אבגדהוזחטיךכלםמןנסעףפץצקרשת',
  arabic: 'ابتثجحخدذرزسشصضطظعغفقكلمنهو',
} as const;
type Script = keyof typeof scripts;

const values = {
  organization: 'порт 2',
  owner: 'анна 3',
  friend: 'борис 4!',
  other: 'вера 5',
  channel: 'мост 6',
  second: 'нос 7',
  topic: 'вода? 8',
  newTopic: 'камни 9',
  group: 'гости 1',
  folder: 'двор 2',
  text: 'лодка 3!',
  draft: 'завтра 4',
  option: 'зима 5',
  word: 'рыба 7',
  status: 'сплю 8',
  description: 'тут все 9',
} as const;

function inScript(script: Script, text: string): string {
  return [...text].map((letter) => scripts[script][scripts.cyrillic.indexOf(letter)] ?? letter).join('');
}

/** Returns the row with the values as they are read, in Cyrillic, and with single spaces: where a paragraph begins may differ. */
function comparable(row: string, script: Script): string {
  let text = row.normalize('NFKC');
  const parts = Object.values(values).flatMap((value) => [value, ...value.split(' ')]);
  if (script !== 'cyrillic') {
    for (const part of parts.toSorted((a, b) => b.length - a.length)) {
      const visual = [...inScript(script, part)].reverse().join('');
      text = text.replaceAll(visual, part);
    }
  }
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

type Step = string | {readonly type: string};
const typed = (value: string): Step => ({type: value});
const palette = (command: string): readonly Step[] => [';', {type: command}, 'Enter'];
const toTopic: readonly Step[] = ['Ctrl-G', typed(values.topic), 'Enter'];
const toPoll: readonly Step[] = ['Ctrl-G', typed(values.draft), 'Enter'];
const toDirect: readonly Step[] = ['Ctrl-G', typed(values.friend), 'Enter'];

/** The screens by what they show; the steps begin in the inbox. */
const screens: Readonly<Record<string, readonly Step[]>> = {
  inbox: [],
  'a row that was marked read, and its toast': ['e'],
  'all rows that were marked read': ['e', 'e', 'e', 'e'],
  'the toast of undo': ['e', 'z'],
  'the toast of redo': ['e', 'z', 'Z'],
  'the undo history': ['e', 'e', 'g Z'],
  'a muted topic': ['M'],
  'a followed topic': ['F'],
  'the visibility of a topic': ['L'],
  'a snooze': ['b', 'Enter'],
  'the snoozes': ['b', 'Enter', 'g z'],
  'a selection': ['v', 'j', 'v'],
  'a topic': toTopic,
  'a direct conversation': toDirect,
  'a resolved topic': ['j', 'j', 'j', 'T'],
  'the topics of a channel': [...toTopic, 'y'],
  'the card of a channel': [...toTopic, '#'],
  'the members of a channel': [...toTopic, ...palette('members')],
  'the settings of a channel': [...toTopic, ...palette('channel settings')],
  'a person': ['g u', 'u'],
  people: ['g u'],
  recent: ['t'],
  'catch-up': ['g k'],
  triage: ['g t'],
  'direct messages': ['g p'],
  mentions: ['g @'],
  starred: ['g *'],
  drafts: ['d'],
  'scheduled messages': ['g s'],
  groups: ['g m'],
  'the channel browser': ['g c'],
  'the list of views and channels': ['Shift-Tab'],
  'a search': ['/', typed(values.text)],
  'the results of a search': ['/', typed(values.text), 'Enter'],
  'a search that finds nothing': ['/', typed(values.status), 'Enter'],
  'a search by a person': ['/', {type: 'from:'}],
  'going to a place': ['Ctrl-G'],
  'going to a channel': ['Ctrl-G', typed(values.channel)],
  'a reply': [...toTopic, 'r', {type: 'yes'}],
  'a sent reply': [...toTopic, 'r', {type: 'yes'}, 'Enter'],
  'a reply that was left': [...toTopic, 'r', {type: 'yes'}, 'Esc'],
  'people to mention': [...toTopic, 'r', {type: '@'}],
  'channels to name': [...toTopic, 'r', {type: '#'}],
  'the menu of a message': [...toTopic, 'i'],
  'a message that moves': [...toTopic, 'm'],
  'who read a message': [...toTopic, 'V'],
  'the edit history': [...toTopic, 'k', 'H'],
  'deleting a message': [...toTopic, 'Delete'],
  'a rule': [...toTopic, 'W'],
  'a poll': [...toPoll, ...palette('vote')],
  'a poll with a vote': [...toPoll, ...palette('vote'), 'Enter'],
  'the alert words': palette('alert words'),
  'the profile of the organization': [...palette('organization settings'), 'Enter'],
  'the folders of the organization': palette('channel folders'),
  'the settings of the account': ['g ,'],
  'the account of a person': ['g u', 'j', 'u', 'E'],
  'a new group': ['g m', 'Enter'],
  'who may administer a new group': ['g m', 'Enter', 'Tab', 'Tab', 'Enter'],
  'a member of a new group that is chosen': ['g m', 'Enter', 'Tab', 'Tab', 'Enter', 'Enter'],
  'two panes': [...toTopic, 'Ctrl-W v', typed(values.friend), 'Enter'],
};

/** Starts a server whose people write in a script, and returns what opens the program of its owner. */
async function worldIn(script: Script) {
  const clock = new ManualClock(Date.UTC(2026, 2, 10, 9));
  const server = await testServer({clock, rateLimited: false});
  const say = (text: string) => inScript(script, text);
  const {people} = server;
  const owner = people.add(say(values.owner), {role: 100, email: 'a@example.com'});
  const friend = people.add(say(values.friend), {email: 'b@example.com'});
  const other = people.add(say(values.other), {role: 600, email: 'c@example.com'});
  const all = [owner, friend, other];
  const channel = people.channel(say(values.channel), all);
  people.channel(say(values.second), all);
  people.setting('name', say(values.organization));
  const [mine, theirs, guest] = all.map((person) => server.as(person));
  if (mine === undefined || theirs === undefined || guest === undefined) throw new Error('There are three people.');
  const send = async (client: typeof mine, to: string, topic: string, content: string): Promise<number> =>
    (await client.post('/messages', {type: 'stream', to: say(to), topic: say(topic), content: say(content)})).id;
  const direct = (client: typeof mine, to: readonly {readonly id: number}[], content: string) =>
    client.post('/messages', {type: 'direct', to: to.map(({id}) => id), content: say(content)});
  await mine.patch(`/streams/${channel}`, {description: say(values.description)});
  await mine.post('/user_groups/create', {
    name: say(values.group),
    description: say(values.description),
    members: [owner.id, friend.id],
  });
  await mine.post('/channel_folders/create', {name: say(values.folder), description: say(values.description)});
  await mine.post('/users/me/alert_words', {alert_words: [say(values.word)]});
  await theirs.post('/users/me/status', {status_text: say(values.status)});
  const own = await send(mine, values.channel, values.topic, 'One moment.');
  await mine.patch(`/messages/${own}`, {content: 'One minute.'});
  await theirs.post(`/messages/${own}/reactions`, {emoji_name: 'tada'});
  clock.advance(60_000);
  await send(mine, values.second, values.draft, `/poll Which?\n${values.option}`);
  clock.advance(60_000);
  await send(theirs, values.channel, values.topic, values.text);
  const named = await send(guest, values.second, values.newTopic, `Ask @**${values.owner}** now`);
  await mine.post('/messages/flags', {messages: [named], op: 'add', flag: 'starred'});
  await direct(theirs, [owner], values.text);
  await direct(guest, [owner, friend], values.text);
  const draft = {type: 'stream', to: [channel], topic: say(values.newTopic), content: say(values.draft)};
  await mine.post('/drafts', {drafts: [{...draft, timestamp: clock.seconds()}]});
  const scheduled_delivery_timestamp = clock.seconds() + 86_400;
  const later = {type: 'channel', to: channel, topic: say(values.topic), content: say(values.text)};
  await mine.post('/scheduled_messages', {...later, scheduled_delivery_timestamp});
  return {
    server,
    owner,
    open: async () => {
      const {store} = openAccountStore({path: ':memory:', clock, random: () => 0.5, log: () => {}});
      const timers = countTimers(clock);
      const program = openApp({url: server.url, person: owner, clock, timers, store, size: '200x50', options: {}});
      program.app.setDisplay({bidi: 'reorder'});
      onTestFinished(async () => {
        await program.stop();
        store.close();
      });
      await program.settle();
      return program;
    },
  };
}

async function shownRows({app}: CountedApp): Promise<readonly string[]> {
  const stdout = new EmulatedStdout(app.screen.size.columns, app.screen.size.rows);
  const ink = mountScreen(writeStream(stdout), silentStdin(), app);
  try {
    await ink.written();
    return await stdout.texts();
  } finally {
    ink.end();
    stdout.terminal.dispose();
  }
}

/** Returns what is inside the box of an overlay: it covers parts of values behind it. */
function insideBox(rows: readonly string[]): readonly string[] {
  const top = rows.findIndex((row) => row.includes('╭'));
  const bottom = rows.findIndex((row) => row.includes('╰'));
  const [left, right] = [rows[top]?.indexOf('╭') ?? 0, rows[top]?.lastIndexOf('╮') ?? 0];
  return rows.slice(top, bottom + 1).map((row) => row.slice(left, right + 1));
}

async function screenIn(script: Script, steps: readonly Step[]): Promise<readonly string[]> {
  const {open} = await worldIn(script);
  const program = await open();
  for (const step of steps) {
    if (typeof step === 'string') program.press(...step.split(' '));
    else program.type(inScript(script, step.type));
    await program.settle();
  }
  const rows = await shownRows(program);
  const shown = program.app.screen.overlays.length > 0 ? insideBox(rows) : rows;
  return shown.map((row) => comparable(row, script));
}

/** The screens in Cyrillic, by name. */
const references = new Map<string, readonly string[]>();
const comparedScripts = ['hebrew', 'arabic'] as const;
const cases = Object.entries(screens).flatMap(([name, steps]) =>
  comparedScripts.map((script) => ({name, steps, script})),
);

// In `npm test` every sixth screen, in the scripts by turns.
test.each(cases.filter((_, at) => fewOrAll(at % 11 === 0, true)))(
  'right-to-left values: $name in $script has everything where it is in Cyrillic',
  async ({name, steps, script}) => {
    const reference = references.get(name) ?? (await screenIn('cyrillic', steps));
    references.set(name, reference);
    expect(reference.join('\n')).toMatch(/[а-я]/);
    expect(await screenIn(script, steps)).toEqual(reference);
  },
);

const bidi = makeBidi();

/** Returns a text as a program shows it that orders it by the rules of Unicode; without a direction, its first letter decides. */
function orderedText(text: string, direction?: 'ltr'): string {
  const levels = bidi.getEmbeddingLevels(text, direction);
  return withoutIsolates(bidi.getReorderedString(text, levels));
}

async function notificationsIn(script: Script): Promise<readonly string[]> {
  const {open} = await worldIn(script);
  const {app} = await open();
  const unread = [...app.state.messages.byId.values()].filter(({id}) => app.state.unreads.byId.has(id));
  expect(unread.length).toBeGreaterThan(3);
  const batches = [unread, ...unread.map((message) => [message])];
  const texts = batches.flatMap((batch) => Object.values(notificationText(app.state, batch, 'text')));
  return [...texts, windowTitle(app.frame)].map((text) => comparable(orderedText(sequenceText(text, 200)), script));
}

/** Verbs that print values, in the order in which they are run. */
const verbs: readonly (readonly [TableVerbName, ...string[]])[] = [
  ['unread'],
  ['inbox'],
  ['catch-up', '--since', '3000d'],
  ['drafts'],
  ['schedule list'],
  ['channel list'],
  ['channel members', `#${values.channel}`],
  ['user list'],
  ['user show', values.friend],
  ['group list'],
  ['group show', values.group],
  ['read', `@${values.friend}`],
  ['read', `#${values.channel}`],
  ['search', values.text],
  ['send', '--to', `#${values.channel}>${values.topic}`, '-m', 'Yes.'],
  ['mute', `#${values.channel}>${values.topic}`],
  ['subscribe', `#${values.second}`, '--user', 'c@example.com'],
  ['mark-read', `#${values.channel}>${values.topic}`],
  ['read', `#${values.status}`],
  ['group show', values.status],
];

async function verbsIn(script: Script, io: IoOptions): Promise<readonly string[]> {
  const {server, owner} = await worldIn(script);
  const {run} = verbFixture(server, owner);
  const lines: string[] = [];
  for (const [verb, ...argv] of verbs) {
    const {out, err} = await run(
      verb,
      argv.map((word) => inScript(script, word)),
      io,
    );
    expect(out + err, verb).not.toBe('');
    lines.push(...`${verb}\n${out}${err}`.split('\n'));
  }
  return lines;
}

/** The output of a terminal that orders text itself. */
const orderingTerminal: IoOptions = {
  outputIsTty: true,
  columns: 160,
  env: {TERM: 'xterm-256color', VTE_VERSION: '7200', NO_COLOR: '1'},
};

test.each(comparedScripts)(
  'right-to-left values: notifications and window titles in %s have everything where it is in Cyrillic',
  async (script) => {
    expect(await notificationsIn(script)).toEqual(await notificationsIn('cyrillic'));
  },
);

test.each(fewOf(comparedScripts))(
  'right-to-left values: verbs in %s print everything where it is in Cyrillic, in a terminal that orders text',
  async (script) => {
    const shown = (lines: readonly string[], own: Script) =>
      lines.map((line) => comparable(orderedText(line, 'ltr'), own));
    const [lines, reference] = [await verbsIn(script, orderingTerminal), await verbsIn('cyrillic', orderingTerminal)];
    expect(shown(lines, script)).toEqual(shown(reference, 'cyrillic'));
  },
);

slowTest('right-to-left values: verbs print no isolates into pipes, JSON and other terminals', async () => {
  const outputs = [
    await verbsIn('hebrew', {}),
    await verbsIn('hebrew', {outputIsTty: true, columns: 160, env: {TERM: 'xterm-kitty'}}),
  ];
  const {server, owner} = await worldIn('hebrew');
  const {run} = verbFixture(server, owner);
  for (const verb of ['unread', 'inbox', 'catch-up', 'drafts'] as const) {
    outputs.push([(await run(verb, ['--json'])).out]);
  }
  expect(outputs.flat().join('\n')).toMatch(/[א-ת]/);
  expect(outputs.flat().filter((line) => /[\u2066-\u2069]|\\u206/.test(line))).toEqual([]);
});
