import {describe, expect, test} from 'vitest';
import {asciiGlyphs} from '#content/render/glyphs.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {RenderOptions} from '#content/render/render-options.ts';
import {lineToText} from '#content/styled-text/ansi.ts';
import type {TextRole} from '#content/styled-text/line.ts';
import {renderContext} from './render-context-fixture.ts';

function renderedLines(source: string, options: Partial<RenderOptions> = {}): string[] {
  const all = {width: 40, linkNumbers: false, zone: 'UTC', now: Date.UTC(2026, 4, 1), ...options};
  return renderMessage({source, senderName: 'Zoe'}, renderContext, all).lines.map(lineToText);
}

/** Returns the texts of a role, in order. */
function texts(source: string, role: TextRole, options: Partial<RenderOptions> = {}): string[] {
  const {lines} = renderMessage({source}, renderContext, {width: 80, ...options});
  return lines.flatMap(({spans}) => spans.filter((span) => span.role === role).map(({text}) => text));
}

describe('blocks', () => {
  test('every newline breaks the line, a blank line separates paragraphs', () => {
    expect(renderedLines('one\ntwo\n\nthree')).toEqual(['one', 'two', '', 'three']);
  });

  test('lists have hanging indents, nest, and keep their numbers', () => {
    const source = '9. nine is a number that needs two lines here\n10. ten\n  * below ten\n    * and below';
    expect(renderedLines(source, {width: 30})).toEqual([
      ' 9. nine is a number that',
      '    needs two lines here',
      '10. ten',
      '    ◦ below ten',
      '      ▪ and below',
    ]);
  });

  test('an item without text has its mark on a line', () => {
    expect(renderedLines('* a\n* \n* b')).toEqual(['• a', '•', '• b']);
  });

  test('each line of a quote has a bar for each level', () => {
    const source = '> one\n> > two, which is longer than a line\n\n```quote\nthree\n\nfour\n```';
    expect(renderedLines(source, {width: 24})).toEqual([
      '▌ one',
      '▌ ▌ two, which is longer',
      '▌ ▌ than a line',
      '',
      '▌ three',
      '▌',
      '▌ four',
    ]);
  });

  test('similar blocks are separated by a blank line, and tables are surrounded by them', () => {
    expect(renderedLines('```\na\n```\n```\nb\n```\nc\n```\nd\n```')).toEqual(['┆ a', '', '┆ b', 'c', '┆ d']);
    expect(renderedLines('x\n\na | b\n--|--\n1 | 2\n\ny')).toEqual(['x', '', 'a │ b', '──┼──', '1 │ 2', '', 'y']);
    expect(renderedLines('```spoiler a\nx\n```\n```spoiler b\ny\n```')).toHaveLength(2);
  });

  test('code keeps its spaces and counts its hidden lines', () => {
    const source = '```\nif x:\n    y\n\tz\n```';
    expect(renderedLines(source)).toEqual(['┆ if x:', '┆     y', '┆     z']);
    expect(renderedLines(source, {maxCodeLines: 2})).toEqual(['┆ if x:', '┆ … 2 lines']);
    expect(renderedLines(source, {maxCodeLines: 2, expanded: true})).toHaveLength(3);
  });

  test('highlighted code has the same text', () => {
    const source = '```py\nx = 1\n```';
    const highlight = () =>
      [
        [
          {text: 'x = ', role: 'code_block'},
          {text: '1', role: 'code_number'},
        ],
      ] as const;
    expect(renderedLines(source, {highlight})).toEqual(renderedLines(source));
    expect(texts(source, 'code_number', {highlight})).toEqual(['1']);
  });

  test('spoilers are closed unless expanded', () => {
    const source = '```spoiler The **end**\none [x](https://x.org)\n\ntwo\n```';
    expect(renderedLines(source)).toEqual(['▸ The end (spoiler, 3 lines)']);
    expect(renderMessage({source}, renderContext, {width: 40}).links).toEqual([]);
    expect(renderedLines(source, {expanded: true})).toEqual(['▾ The end', '  one x', '', '  two']);
    expect(renderedLines('```spoiler * a\nx\n```')).toEqual(['▸ a (spoiler, 1 line)']);
    expect(renderedLines('```spoiler\nx\n```')).toEqual(['▸ Spoiler (spoiler, 1 line)']);
  });

  test('headings, rules and formulas are rendered', () => {
    expect(renderedLines('text\n\n# Title\n---\n```math\nx^2\n```', {width: 10})).toEqual([
      'text',
      '',
      'Title',
      '──────────',
      'x²',
    ]);
    expect(texts('## Title', 'heading')).toEqual(['Title']);
  });

  test('a long message is cut at maxLines', () => {
    const source = 'a\nb\nc\nd\ne';
    expect(renderedLines(source, {maxLines: 3})).toEqual(['a', 'b', '… 3 lines']);
    expect(renderMessage({source}, renderContext, {width: 9, maxLines: 3}).hiddenLineCount).toBe(3);
    expect(renderedLines(source, {maxLines: 5})).toHaveLength(5);
    expect(renderedLines(source, {maxLines: 3, expanded: true})).toHaveLength(5);
  });

  test('bars and bullets are omitted when there is no room for them', () => {
    expect(renderedLines('> quoted text', {width: 4})).toEqual(['quot', 'ed', 'text']);
    expect(renderedLines('1. item', {width: 5})).toEqual(['1.', 'item']);
  });

  test('ASCII glyphs replace the Unicode ones', () => {
    const source = '* a\n\n> b\n\n#**general>t** :smile: $$x^2$$\n---';
    expect(renderedLines(source, {glyphs: asciiGlyphs, width: 30}).join('\n')).toMatch(/^[\n -~]*$/);
  });
});

describe('tables', () => {
  const table = '| Name | What | N |\n|---|:-:|--:|\n| one | a longer text | 1 |\n| two | b | 22 |';

  test('a table that fits is shown as a grid', () => {
    expect(renderedLines(table)).toEqual([
      'Name │     What      │  N',
      '─────┼───────────────┼───',
      'one  │ a longer text │  1',
      'two  │       b       │ 22',
    ]);
  });

  test('the cells of a wide table are wrapped, and a line separates rows of several lines', () => {
    expect(renderedLines(table, {width: 20})).toEqual([
      'Name │   What   │  N',
      '─────┼──────────┼───',
      'one  │ a longer │  1',
      '     │   text   │',
      '─────┼──────────┼───',
      'two  │    b     │ 22',
    ]);
  });

  test('columns that are too narrow share the room in proportion to what they lack', () => {
    const source = '| A | B | N |\n|---|---|---|\n| aa bb cc d | aa bb cc dd ee ff gg h | xyz |';
    expect(renderedLines(source, {width: 27})).toEqual([
      'A      │ B            │ N',
      '───────┼──────────────┼────',
      'aa bb  │ aa bb cc dd  │ xyz',
      'cc d   │ ee ff gg h   │',
    ]);
  });

  test('a last column of room goes to a column that is too narrow', () => {
    const source = '| N | A | B |\n|---|---|---|\n| xyz | aa bb | aa bb |';
    expect(renderedLines(source, {width: 14})).toEqual([
      'N   │ A   │ B',
      '────┼─────┼───',
      'xyz │ aa  │ aa',
      '    │ bb  │ bb',
    ]);
  });

  test('a very wide table is shown as records', () => {
    expect(renderedLines(table, {width: 12})).toEqual([
      'Name: one',
      'What: a',
      '  longer',
      '  text',
      'N: 1',
      '────────',
      'Name: two',
      'What: b',
      'N: 22',
    ]);
  });
});

describe('inline', () => {
  test('mentions show current names, and those of the user are marked', () => {
    const source = '@**Iago** @**Zoe** @_**Zoe** @**all** @*devs* @**Nobody**';
    expect(renderedLines(source, {width: 80})).toEqual(['@Iago @Zoe Zoe @all @devs @Nobody']);
    expect(texts(source, 'self_mention')).toEqual(['@Iago', '@all', '@devs']);
    expect(texts(source, 'mention')).toEqual(['@Zoe']);
    expect(texts(source, 'silent_mention')).toEqual(['Zoe']);
    const facts = {users: {'old iago': 5}};
    expect(renderMessage({source: '@**Old Iago**', facts}, renderContext, {width: 80}).lines.map(lineToText)).toEqual([
      '@Iago',
    ]);
  });

  test('links to channels, topics and messages', () => {
    const source = '#**general** #**general>a topic** #**general>** #**ops>x@12**';
    expect(renderedLines(source, {width: 80})).toEqual([
      '#general #general › a topic #general › general chat #ops › x @ 💬',
    ]);
    expect(renderMessage({source}, renderContext, {width: 80}).links.map(({url}) => url)).toEqual([
      '/#narrow/channel/3-general',
      '/#narrow/channel/3-general/topic/a.20topic',
      '/#narrow/channel/3-general/topic/',
      '/#narrow/channel/4-ops/topic/x/near/12',
    ]);
    const renamed = {...renderContext, channelById: () => ({name: 'main'})};
    const message = {source: '#**old>tides**', facts: {channels: {old: 3}, topics: {'3>tides': 40}}};
    const {lines, links} = renderMessage(message, renamed, {width: 80});
    expect(lines.map(lineToText)).toEqual(['#main › tides [1]']);
    expect(links[0]?.url).toBe('/#narrow/channel/3-main/topic/tides/with/40');
  });

  test('links are numbered in order', () => {
    const source = '[a](https://x.org) https://x.org #12 **[b](https://y.org)**';
    const {lines, links} = renderMessage({source}, renderContext, {width: 80});
    expect(lines.map(lineToText)).toEqual(['a [1] https://x.org [2] #12 [3] b [4]']);
    expect(links).toEqual([
      {text: 'a', url: 'https://x.org'},
      {text: 'https://x.org', url: 'https://x.org'},
      {text: '#12', url: 'https://trac.example.com/12'},
      {text: 'b', url: 'https://y.org'},
    ]);
  });

  test('footLinks lists the URLs that the text does not show', () => {
    const source = '[a](https://x.org/1) https://x.org #**general**';
    expect(renderedLines(source, {footLinks: true, linkNumbers: true})).toEqual([
      'a [1] https://x.org [2] #general [3]',
      '[1] https://x.org/1',
    ]);
  });

  test('footLinks lists whole URLs of links into the organization where the reader may be elsewhere', () => {
    const source = '#**general** [plan](/user_uploads/2/ab/plan.pdf)';
    const options = {footLinks: true, linkNumbers: true, footLinkBase: 'https://chat.example.com', width: 60};
    expect(renderedLines(source, options)).toEqual([
      '#general [1] [file: plan] [2]',
      '[1] https://chat.example.com/#narrow/channel/3-general',
      '[2] https://chat.example.com/user_uploads/2/ab/plan.pdf',
    ]);
  });

  test('a link whose text is blank shows its URL', () => {
    for (const blank of [' ', '\u00a0', '\u200b'])
      expect(renderedLines(`[${blank}](https://x.org/1)`)).toEqual(['https://x.org/1']);
  });

  test('uploaded files are renderedLines as chips', () => {
    const source =
      '[plan.pdf](/user_uploads/2/ab/kT9sPq3xW_mE7uYb/plan.pdf) ![cat](/user_uploads/2/ab/kT9sPq3xW_mE7uYb/cat.png)';
    expect(texts(source, 'chip')).toEqual(['[file: plan.pdf]', '[image: cat]']);
    expect(renderMessage({source}, renderContext, {width: 80}).links).toEqual([
      {text: 'plan.pdf', url: '/user_uploads/2/ab/kT9sPq3xW_mE7uYb/plan.pdf'},
      {text: 'cat', url: '/user_uploads/2/ab/kT9sPq3xW_mE7uYb/cat.png'},
    ]);
  });

  test('a system group is shown by its title', () => {
    const system = {
      ...renderContext,
      groupByName: (name: string) => ({id: 3, name, isSystem: true, isActive: true}),
    };
    const {lines} = renderMessage({source: '@_*role:members* @*role:fullmembers*'}, system, {width: 40});
    expect(lines.map(lineToText)).toEqual(['Members @Full members']);
  });

  test('a file of another organization is a plain link, and a bare URL is shown as typed', () => {
    const [own, other] = ['https://chat.example.com/user_uploads/1/a.png', 'https://other.org/user_uploads/1/b.png'];
    expect(texts(`[a.png](${own})`, 'chip')).toEqual(['[image: a.png]']);
    expect(texts(`${own} [b.png](${other})`, 'chip')).toEqual([]);
    expect(texts(`${own} [b.png](${other})`, 'link')).toEqual([own, 'b.png']);
  });

  test('without fileMarks a file is shown by its name', () => {
    const source =
      '[the plan](/user_uploads/2/ab/kT9sPq3xW_mE7uYb/plan.pdf) ![](/user_uploads/2/ab/kT9sPq3xW_mE7uYb/cat.png)';
    expect(renderedLines(source, {fileMarks: false})).toEqual(['the plan cat.png']);
  });

  test('times are in the time zone of the user, emoji are characters if possible', () => {
    expect(renderedLines('<time:2026-05-12T14:30Z> :tada: :party: :zzzz:', {zone: 'Asia/Tokyo'})).toEqual([
      'Tue 12 May, 23:30 🎉 :party: :zzzz:',
    ]);
    const american = {hour12: true, dateOrder: 'mdy'} as const;
    expect(renderedLines('<time:2026-05-12T14:30Z>', american)).toEqual(['Tue May 12, 2:30 PM']);
  });

  test('/me starts with the name of the sender', () => {
    expect(renderedLines('/me waves *hello*')).toEqual(['Zoe waves hello']);
    expect(renderedLines('/me\nwaves')).toEqual(['/me', 'waves']);
    expect(renderedLines('/me * a')).toEqual(['Zoe * a']);
    expect(renderedLines('/me > x')).toEqual(['Zoe > x']);
    expect(renderedLines('/me lists\n* a')).toEqual(['/me lists', '• a']);
  });

  test('alert words and search matches are highlighted', () => {
    expect(texts('Deploy the deployment, DEPLOY!', 'alert_word', {alertWords: ['deploy']})).toEqual([
      'Deploy',
      'DEPLOY',
    ]);
    const matches = [{text: 'depl', isWhole: false}];
    expect(texts('deploy `depl` now', 'match', {matches})).toEqual(['depl', 'depl']);
  });
});

test('render: polls and to-do lists show their current state', () => {
  const part = (id: number, senderId: number, content: object) => ({
    id,
    senderId,
    type: 'widget',
    content: JSON.stringify(content),
  });
  const submessages = [
    part(1, 7, {widget_type: 'poll', extra_data: {question: 'Lunch?', options: ['Pizza', 'Soup']}}),
    part(2, 5, {type: 'vote', key: 'canned,1', vote: 1}),
  ];
  const {lines} = renderMessage({source: '/poll Lunch?', senderId: 7, submessages}, renderContext, {
    width: 40,
    alertWords: ['Iago'],
  });
  expect(lines.map(lineToText)).toEqual(['Lunch?', '[0] Pizza', '[1*] Soup (Iago)']);
  // The name of a voter is not text of the message.
  expect(lines.flatMap(({spans}) => spans.map(({role}) => role))).not.toContain('alert_word');
});

test('render: an unsent poll or to-do list is shown as it will be, a sent text without a widget as it is', () => {
  const shown = (source: string, isUnsent: boolean) =>
    renderMessage({source, isUnsent}, renderContext, {width: 40}).lines.map(lineToText);
  expect(shown('/poll Lunch?\nPizza\nSoup', true)).toEqual(['Lunch?', '[0] Pizza', '[0] Soup']);
  expect(shown('/todo Trip\nCharts: new ones', true)).toEqual(['Trip', '[ ] Charts: new ones']);
  expect(shown('/poll Lunch?\nPizza', false)).toEqual(['/poll Lunch?', 'Pizza']);
  expect(shown('poll', true)).toEqual(['poll']);
});
