import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {widgetCommand} from '#content/widgets/widget-command.ts';
import {
  newOptionContent,
  newTaskContent,
  pollFromCommand,
  pollRows,
  pollState,
  strikeContent,
  todoFromCommand,
  todoRows,
  todoState,
  voteContent,
  type WidgetSubmessage,
} from '#content/widgets/widgets.ts';
import {widgetSubmessage} from '#server/actions/messages/post-message.ts';
import {expectHarmless, hostileText} from '#test/content/hostile-text.ts';
import {testServer} from '#test/support/server.ts';
import {fewOrAll} from '#test/support/tier.ts';

const [ann, bo, cy] = [7, 8, 9];

/** Returns submessages in this order, each as [sender, content]; the first one is Ann's. */
function parts(start: unknown, ...actions: readonly (readonly [number, unknown])[]): WidgetSubmessage[] {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return [[ann, start] as const, ...actions].map(([senderId, content], id) => ({
    id,
    senderId,
    type: 'widget',
    content: text(content),
  }));
}

const lunch = {widget_type: 'poll', extra_data: {question: 'Lunch?', options: ['Pizza', 'Soup']}};
const chores = {
  widget_type: 'todo',
  extra_data: {
    task_list_title: 'Party',
    tasks: [
      {task: 'Cake', desc: 'with cream'},
      {task: 'Music', desc: ''},
    ],
  },
};

describe('polls', () => {
  const votes = (...actions: readonly (readonly [number, unknown])[]) =>
    pollState(parts(lunch, ...actions), ann)?.options.map(({key, text, voters}) => [key, text, ...voters]);

  test('start with the options of the message', () => {
    expect(pollState(parts(lunch), ann)).toEqual({
      question: 'Lunch?',
      options: [
        {key: 'canned,0', text: 'Pizza', voters: []},
        {key: 'canned,1', text: 'Soup', voters: []},
      ],
    });
  });

  test('a vote can be added and removed, and counts once', () => {
    const give = voteContent('canned,0', true);
    expect(votes([bo, give], [cy, give], [bo, give])?.[0]).toEqual(['canned,0', 'Pizza', bo, cy]);
    expect(votes([bo, give], [bo, voteContent('canned,0', false)])?.[0]).toEqual(['canned,0', 'Pizza']);
  });

  test('any user can add options and vote for them', () => {
    expect(
      votes([bo, {type: 'new_option', idx: 1, option: 'Salad'}], [cy, {type: 'vote', key: `${bo},1`, vote: 1}])?.[2],
    ).toEqual([`${bo},1`, 'Salad', cy]);
  });

  test.each<readonly [string, number, unknown]>([
    ['no JSON', bo, '{'],
    ['no object', bo, [1]],
    ['null', bo, null],
    ['an unknown deed', bo, {type: 'explode'}],
    ['a vote for nothing', bo, {type: 'vote', key: 'canned,9', vote: 1}],
    ['a vote of two', bo, {type: 'vote', key: 'canned,0', vote: 2}],
    ['a vote without a key', bo, {type: 'vote', vote: 1}],
    ['an option that is there', bo, {type: 'new_option', idx: 1, option: 'Soup'}],
    ['an option that is no text', bo, {type: 'new_option', idx: 1, option: 4}],
    ['an index too high', bo, {type: 'new_option', idx: 1001, option: 'x'}],
    ['an index below zero', bo, {type: 'new_option', idx: -1, option: 'x'}],
    ['an index that is no whole number', bo, {type: 'new_option', idx: 0.5, option: 'x'}],
    ['another one’s question', bo, {type: 'question', question: 'Mine?'}],
    ['a question that is no text', ann, {type: 'question', question: 5}],
  ])('%s changes nothing', (_, sender, action) => {
    expect(pollState(parts(lunch, [sender, action]), ann)).toEqual(pollState(parts(lunch), ann));
  });

  test('the author can change the question', () => {
    expect(pollState(parts(lunch, [ann, {type: 'question', question: 'Dinner?'}]), ann)?.question).toBe('Dinner?');
  });

  test('submessages apply in the order of their ids, not of arrival', () => {
    const [first, give, take] = parts(lunch, [bo, voteContent('canned,0', true)], [bo, voteContent('canned,0', false)]);
    if (first === undefined || give === undefined || take === undefined) throw new Error('three parts');
    expect(pollState([take, give, first], ann)?.options[0]?.voters).toEqual([]);
  });

  test('a widget submessage of another user is ignored', () => {
    expect(pollState(parts(lunch), bo)).toBeUndefined();
    expect(pollState([], ann)).toBeUndefined();
    expect(pollState(parts({widget_type: 'zform'}), ann)).toBeUndefined();
    expect(pollState(parts({widget_type: 'poll'}), ann)).toEqual({question: '', options: []});
  });

  test('a new option gets the next index of the user', () => {
    const poll = pollState(parts(lunch, [bo, {type: 'new_option', idx: 4, option: 'Salad'}]), ann);
    if (poll === undefined) throw new Error('a poll');
    expect(JSON.parse(newOptionContent(poll, bo, ' Rice ') ?? '')).toEqual({
      type: 'new_option',
      idx: 5,
      option: 'Rice',
    });
    expect(JSON.parse(newOptionContent(poll, cy, 'Rice') ?? '')).toMatchObject({idx: 1});
    expect(newOptionContent(poll, cy, 'Salad')).toBeUndefined();
    expect(newOptionContent(poll, cy, '  ')).toBeUndefined();
    const full = pollState(parts(lunch, [bo, {type: 'new_option', idx: 1000, option: 'x'}]), ann);
    expect(newOptionContent(full ?? poll, bo, 'y')).toBeUndefined();
  });

  test('rows show the voters and mark the own vote', () => {
    const poll = pollState(parts(lunch, [bo, voteContent('canned,0', true)], [cy, voteContent('canned,0', true)]), ann);
    if (poll === undefined) throw new Error('a poll');
    const nameOf = (id: number) => (id === bo ? 'Bo\u001b Wu' : undefined);
    expect(pollRows(poll, {selfId: bo, nameOf})).toEqual(['Lunch?', '[2*] Pizza (Bo Wu, someone)', '[0] Soup']);
    const many = {...poll, options: [{key: 'k', text: 'Pie', voters: [1, 2, 3, 4, 5, 6, 7]}]};
    expect(pollRows(many, {selfId: bo, nameOf: String})[1]).toBe('[7] Pie (1, 2, 3, 4, 5, 2 more)');
    expect(pollRows({question: '', options: []}, {selfId: bo, nameOf})).toEqual(['Poll', 'No options yet']);
  });
});

describe('to-do lists', () => {
  const tasks = (...actions: readonly (readonly [number, unknown])[]) =>
    todoState(parts(chores, ...actions), ann)?.tasks;

  test('any user can mark a task as done and undone', () => {
    expect(tasks([bo, strikeContent('0,canned')])?.map(({done}) => done)).toEqual([true, false]);
    expect(tasks([bo, strikeContent('0,canned')], [cy, strikeContent('0,canned')])?.[0]?.done).toBe(false);
  });

  test('any user can add tasks', () => {
    const added = tasks([bo, {type: 'new_task', key: 1, task: 'Ice', desc: 'two bags', completed: false}]);
    expect(added?.[2]).toEqual({key: `1,${bo}`, task: 'Ice', description: 'two bags', done: false});
  });

  test.each<readonly [string, number, unknown]>([
    ['a task that is there', bo, {type: 'new_task', key: 1, task: 'Cake', desc: '', completed: false}],
    ['a task without a number', bo, {type: 'new_task', task: 'x', desc: ''}],
    ['striking nothing', bo, {type: 'strike', key: '9,canned'}],
    ['another one’s title', bo, {type: 'new_task_list_title', title: 'Mine'}],
  ])('%s changes nothing', (_, sender, action) => {
    expect(todoState(parts(chores, [sender, action]), ann)).toEqual(todoState(parts(chores), ann));
  });

  test('the author can change the title; an empty title gets the default', () => {
    expect(todoState(parts(chores, [ann, {type: 'new_task_list_title', title: 'Feast'}]), ann)?.title).toBe('Feast');
    expect(todoState(parts(chores, [ann, {type: 'new_task_list_title', title: ' '}]), ann)?.title).toBe('Task list');
    expect(todoState(parts({widget_type: 'todo', extra_data: {tasks: [4, {task: 5}]}}), ann)).toEqual({
      title: 'Task list',
      tasks: [],
    });
  });

  test('a new task gets the next index of the user', () => {
    const todo = todoState(parts(chores, [bo, {type: 'new_task', key: 3, task: 'Ice', desc: ''}]), ann);
    if (todo === undefined) throw new Error('a list');
    expect(JSON.parse(newTaskContent(todo, bo, {task: 'Cups', description: 'paper'}) ?? '')).toEqual({
      type: 'new_task',
      key: 4,
      task: 'Cups',
      desc: 'paper',
      completed: false,
    });
    expect(newTaskContent(todo, cy, {task: 'Ice'})).toBeUndefined();
  });

  test('rows mark the tasks that are done', () => {
    const todo = todoState(parts(chores, [bo, strikeContent('1,canned')]), ann);
    expect(todo && todoRows(todo)).toEqual(['Party', '[ ] Cake: with cream', '[x] Music']);
    expect(todoRows({title: 'T', tasks: []})).toEqual(['T', 'No tasks yet']);
  });
});

describe('commands', () => {
  const asParts = (source: string): WidgetSubmessage[] => {
    const content = widgetSubmessage(source);
    return content === undefined ? [] : [{id: 1, senderId: ann, type: 'widget', content}];
  };

  test('a line is an option or a task, with or without a bullet', () => {
    expect(widgetCommand('/poll  Lunch? \n* Pizza\n\n -  Soup\n-\nBread')).toEqual({
      type: 'poll',
      question: 'Lunch?',
      options: ['Pizza', 'Soup', 'Bread'],
    });
    expect(widgetCommand('/todo\n* Cake: with: cream\n- \n12:30 lunch')).toEqual({
      type: 'todo',
      title: '',
      tasks: [
        {task: 'Cake', desc: 'with: cream'},
        {task: '12:30 lunch', desc: ''},
      ],
    });
    expect(widgetCommand('/todo')).toEqual({type: 'todo', title: '', tasks: []});
    expect(widgetCommand('/polls\na')).toBeUndefined();
  });

  test('an unsent command shows the widget that the server will create', () => {
    const line = fc.constantFrom('- a', '* b', 'c: d', '', '  ', 'e:f:g', ':', 'a', '-', '/poll', ' - x ');
    const source = fc
      .tuple(fc.constantFrom('/poll', '/todo', '/poll Q', '/todo  T ', '/pollx', '/poll\tQ', ' /poll'), fc.array(line))
      .map(([head, lines]) => [head, ...lines].join('\n'));
    fc.assert(
      fc.property(source, (text) => {
        expect(pollFromCommand(text)).toEqual(pollState(asParts(text), ann));
        expect(todoFromCommand(text)).toEqual(todoState(asParts(text), ann));
      }),
    );
  });
});

test('widgets: the state replayed from the server equals the actions of the users', async () => {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  server.people.channel('general', [meg, otto]);
  const send = async (content: string): Promise<number> => {
    const {id} = await server.as(meg).post('/messages', {type: 'stream', to: 'general', topic: 't', content});
    return Number(id);
  };
  const partsOf = async (id: number): Promise<WidgetSubmessage[]> => {
    const {message} = await server.as(otto).get(`/messages/${id}`);
    const stored = (message as {submessages: {id: number; sender_id: number; msg_type: string; content: string}[]})
      .submessages;
    return stored.map((part) => ({
      id: part.id,
      senderId: part.sender_id,
      type: part.msg_type,
      content: part.content,
    }));
  };
  const attach = async (id: number, content: string | undefined): Promise<void> => {
    await server.as(otto).post('/submessage', {message_id: id, msg_type: 'widget', content: content ?? ''});
  };

  const poll = await send('/poll Lunch?\nPizza\n- Soup');
  await attach(poll, voteContent('canned,1', true));
  const before = pollState(await partsOf(poll), meg.id);
  await attach(poll, before && newOptionContent(before, otto.id, 'Rice'));
  await attach(poll, voteContent(`${otto.id},1`, true));
  expect(pollState(await partsOf(poll), meg.id)).toEqual({
    question: 'Lunch?',
    options: [
      {key: 'canned,0', text: 'Pizza', voters: []},
      {key: 'canned,1', text: 'Soup', voters: [otto.id]},
      {key: `${otto.id},1`, text: 'Rice', voters: [otto.id]},
    ],
  });

  const list = await send('/todo Party\nCake: with cream');
  const empty = todoState(await partsOf(list), meg.id);
  await attach(list, empty && newTaskContent(empty, otto.id, {task: 'Ice'}));
  await attach(list, strikeContent('0,canned'));
  const todo = todoState(await partsOf(list), meg.id);
  expect(todo && todoRows(todo)).toEqual(['Party', '[x] Cake: with cream', '[ ] Ice']);
});

test('widgets: hostile submessages give no control characters', () => {
  const value = fc.oneof(hostileText(['canned,0']), fc.integer(), fc.constant(1), fc.constant(null));
  const action = fc
    .record({
      type: fc.constantFrom('vote', 'new_option', 'question', 'strike', 'new_task', 'new_task_list_title'),
      key: value,
      idx: value,
      vote: fc.constantFrom(1, -1, 0),
      option: value,
      question: value,
      task: value,
      desc: value,
      title: value,
    })
    .map((each) => JSON.stringify(each));
  const content = fc.oneof(action, fc.json(), hostileText(['{', '}', '"']));
  const start = fc.oneof(
    fc.constant(JSON.stringify(lunch)),
    fc.constant(JSON.stringify(chores)),
    fc.json().map((extra) => `{"widget_type":"poll","extra_data":${extra}}`),
    fc.json().map((extra) => `{"widget_type":"todo","extra_data":{"tasks":[${extra}]}}`),
    content,
  );
  fc.assert(
    fc.property(start, fc.array(fc.tuple(fc.constantFrom(ann, bo), content), {maxLength: 6}), (first, actions) => {
      const all = parts(first, ...actions);
      const poll = pollState(all, ann);
      const todo = todoState(all, ann);
      for (const row of poll ? pollRows(poll, {selfId: bo, nameOf: () => '\u001b[2J'}) : []) expectHarmless(row);
      for (const row of todo ? todoRows(todo) : []) expectHarmless(row);
    }),
    {numRuns: fewOrAll(10, 100)},
  );
});
