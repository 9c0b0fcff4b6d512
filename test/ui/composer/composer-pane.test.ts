import fc from 'fast-check';
import {expect, test} from 'vitest';
import {reorderedLine} from '#content/styled-text/bidi.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import {withMessages} from '#state/messages/loaded-messages.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {egFrame, textOf} from '#test/support/frame-fixture.ts';
import {composerLines} from '#test/support/part-lines.ts';
import * as eg from '#test/support/state-builders.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {anyText} from '#test/ui/text/random-text.ts';
import {composerCursor, composerRows} from '#ui/composer/composer-lines.ts';
import {type ComposerState, closedComposer} from '#ui/composer/composer-state.ts';
import {noRecipients} from '#ui/composer/recipients.ts';
import {messagesView} from '#ui/core/frame.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {emptyField, emptyLine, moveTo, setText} from '#ui/text/text-field.ts';

const account = eg.state({
  connection: {phase: 'online'},
  channels: eg.byId(eg.channel({id: 1, name: 'backend'})),
});
const target = {kind: 'topic', channelId: 1, topic: 'deploy freeze'} as const;
const view = messagesView(topicNarrow(1, 'deploy freeze'));

function frameOf(composer: Partial<ComposerState>, size = '80x24', more: Parameters<typeof egFrame>[0] = {}) {
  return egFrame({
    account,
    view,
    size,
    ...more,
    screen: {focus: 'composer', composer: {...closedComposer, target, isOpen: true, ...composer}},
  });
}

function rowsOf(frame: ReturnType<typeof egFrame>): readonly string[] {
  const rect = screenLayout(frame).composer;
  return rect === undefined ? [] : textOf(composerLines(frame, rect));
}

test('composer pane: for any text, every row fits and is sanitized, and the cursor is inside', () => {
  fc.assert(
    fc.property(
      anyText,
      anyText,
      fc.nat(),
      fc.constantFrom('30x8', '40x15', '80x24', '200x50'),
      fc.constantFrom('text', 'to', 'topic', 'send'),
      fc.boolean(),
      fc.boolean(),
      (written, to, at, size, activePart, isPreviewed, isAscii) => {
        const field = moveTo(setText(emptyField, written), at % (written.length + 1));
        const recipients =
          activePart === 'to' || activePart === 'topic'
            ? {...noRecipients('channel'), to: setText(emptyLine, to), topic: setText(emptyLine, written)}
            : undefined;
        const frame = frameOf({field, activePart, recipients, isPreviewed}, size, {
          display: {glyphs: isAscii ? 'ascii' : 'unicode', bidi: at % 2 === 0 ? 'reorder' : 'terminal'},
        });
        const layout = screenLayout(frame);
        const rect = layout.composer;
        expect(rect).toBeDefined();
        if (rect === undefined) return;
        const lines = composerLines(frame, rect);
        expect(lines.length).toBeLessThanOrEqual(rect.rows);
        for (const line of lines) {
          expect(line.width).toBeLessThanOrEqual(rect.columns);
          expect(spansColumns(line.spans)).toBe(line.width);
          expect(reorderedLine(line).width).toBeLessThanOrEqual(rect.columns);
          expect(line.spans.map((span) => span.text).join('')).not.toMatch(/\p{Cc}/u);
        }
        const cursor = composerCursor(frame, layout);
        if (cursor === undefined) return;
        expect(cursor.x).toBeGreaterThanOrEqual(rect.x);
        expect(cursor.x).toBeLessThan(rect.x + rect.columns);
        expect(cursor.y).toBeGreaterThanOrEqual(rect.y);
        expect(cursor.y).toBeLessThan(rect.y + rect.rows);
      },
    ),
    {numRuns: fewOrAll(37, 150)},
  );
});

test('composer pane: offline it says that the message will be queued', () => {
  const offline = {
    ...account,
    connection: {phase: 'offline', since: 0, retryAt: undefined, problem: '', savedAt: undefined},
  } as const;
  expect(rowsOf(frameOf({}, '80x24', {account: offline}))[0]).toMatch(
    /^to #backend › deploy freeze {2}\(will be queued\)/,
  );
});

test('composer pane: while signed out it says that the message will be queued, in the fields of a destination too', () => {
  const signedOut = {...account, connection: {phase: 'signedOut', problem: 'No.'}} as const;
  expect(rowsOf(frameOf({}, '80x24', {account: signedOut}))[0]).toContain('(will be queued)');
  const recipients = {...noRecipients('channel'), topic: setText(emptyLine, 'deploy freeze')};
  const open = frameOf({recipients, activePart: 'to'}, '80x24', {account: signedOut});
  expect(rowsOf(open)[0]).toMatch(/^ Channel channel name · @ for people$/);
  expect(rowsOf(open)[1]).toMatch(/^ Topic +deploy freeze +\(will be queued\)$/);
});

test('composer pane: an edit says how long it can still be saved', () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const shown = (secondsLeft: number | null) => {
    const limit = secondsLeft === null ? null : 10 * 86_400;
    const timestamp = now / 1000 - (limit ?? 0) + (secondsLeft ?? 0);
    const messages = withMessages(account.messages, [eg.message({id: 5, senderId: eg.selfId, timestamp})]);
    const realm = {...account.realm, messageContentEditLimitSeconds: limit};
    const frame = frameOf({editing: {messageId: 5, before: ''}}, '80x24', {
      account: {...account, messages, realm},
      now,
    });
    return /draft(?: · (.*? left))?(?: {2}|$)/.exec(rowsOf(frame)[0] ?? '')?.[1];
  };
  expect([59, 60, 7199, 7200, 48 * 3600 - 1, 48 * 3600].map(shown)).toEqual([
    'less than a minute left',
    '1 min left',
    '119 min left',
    '2 h left',
    '47 h left',
    '2 days left',
  ]);
  expect(shown(null)).toBeUndefined();
});

test('composer pane: a preview without text says so, and the messages with the keys name the key that goes on writing', () => {
  expect(rowsOf(frameOf({isPreviewed: true}))[1]).toMatch(/Nothing to preview yet\./);
  const resumed = (composer: Partial<ComposerState>) => {
    const screen = {focus: 'main', composer: {...closedComposer, target, isOpen: true, ...composer}} as const;
    return rowsOf(egFrame({account, view, screen}))[0];
  };
  expect(resumed({})).toMatch(/r resumes writing$/);
  expect(resumed({target: {...target, topic: 'pager'}})).not.toContain('resumes');
  expect(resumed({editing: {messageId: 5, before: ''}})).not.toContain('resumes');
});

test('composer pane: closed, it has the draft and how many more there are, or says that nothing is sent', () => {
  const draft = (id: string) =>
    ({id, serverId: undefined, target, content: id, editedAt: 1, base: undefined, status: 'dirty'}) as const;
  const closed = (composer: Partial<ComposerState>, isReadOnly = false) => {
    const localDrafts = [draft('a'), draft('b'), draft('c')];
    const screen = {composer: {...closedComposer, target, ...composer}};
    return rowsOf(egFrame({account: {...account, localDrafts}, view, info: {isReadOnly}, screen})).map((row) =>
      row.trim(),
    );
  };
  const written = {draftId: 'a', field: setText(emptyField, 'half\na word')};
  expect(closed(written)[0]).toMatch(/^› half … +✎ draft · 2 more$/);
  expect(closed({})[0]).toMatch(/^› To #backend › deploy freeze · 3 more$/);
  expect(closed(written, true)).toEqual(['› This session is read-only: nothing is sent']);
});

test('composer pane: while it is written, it says that the topic is resolved, or longer than the server keeps', () => {
  const below = (composer: Partial<ComposerState>) =>
    rowsOf(frameOf(composer))
      .slice(2)
      .map((row) => row.trim());
  expect(below({target: {...target, topic: '✔ deploy'}})).toEqual(['This topic is resolved']);
  expect(below({target: {...target, topic: '✔ deploy'}, editing: {messageId: 1, before: ''}})).toEqual([]);
  const topic = (length: number) => ({...noRecipients('channel'), topic: setText(emptyLine, 'x'.repeat(length))});
  expect(below({recipients: topic(60)}).at(-1)).not.toContain('cuts');
  expect(below({recipients: topic(61)}).at(-1)).toBe('Topic 61/60: the server cuts the end');
});

test('composer pane: a warning says what the next Enter does, unless it blocks, and a text that is too long its length', () => {
  const warning = (isBlocking: boolean) => [{kind: 'secret', text: 'Careful.', isBlocking}] as const;
  const below = (composer: Partial<ComposerState>) => rowsOf(frameOf(composer)).slice(2);
  expect(below({warnings: warning(false)})).toEqual([' ! Careful.', ' Enter again to send']);
  expect(below({warnings: warning(false), editing: {messageId: 1, before: ''}})[1]).toBe(' Enter again to save');
  expect(below({warnings: warning(true)})).toEqual([' ! Careful.']);
  const short = {...account, server: {...account.server, maxMessageLength: 10}};
  const head = (length: number) => {
    const frame = frameOf({field: setText(emptyField, 'x'.repeat(length))}, '80x24', {account: short});
    const rect = screenLayout(frame).composer ?? expect.unreachable();
    return composerLines(frame, rect)[0]?.spans.find(({role}) => role === 'counter' || role === 'counter_over');
  };
  expect(head(10)).toMatchObject({text: '10/10  ', role: 'counter'});
  expect(head(12)).toMatchObject({text: '12/10 too long  ', role: 'counter_over'});
});

test('composer pane: when the conversation moves, a line says how and where to', () => {
  const channels = eg.byId(eg.channel({id: 1, name: 'backend'}), eg.channel({id: 2, name: 'web'}));
  const line = (from: string, to: string, channelId = 1) => {
    const messages = withMessages(account.messages, [eg.message({id: 5, channelId, topic: to})]);
    const composer = {target: {...target, topic: from}, anchor: {messageId: 5, isRepliedTo: true}};
    return rowsOf(frameOf(composer, '80x24', {account: {...account, channels, messages}}))[1];
  };
  const keys = ' — Enter follow · Esc stay';
  expect(line('tea', 'cake')).toBe(`! renamed to #backend › cake${keys}`);
  expect(line('tea', '✔ tea')).toBe(`! resolved, now #backend › ✔ tea${keys}`);
  expect(line('✔ tea', 'tea')).toBe(`! unresolved, now #backend › tea${keys}`);
  expect(line('tea', 'tea', 2)).toBe(`! moved to #web › tea${keys}`);
});

test('composer pane: a preview has emoji for emoticons, if the account wants that', () => {
  const preview = (translateEmoticons: boolean) => {
    const settings = {...account.settings, translateEmoticons};
    return rowsOf(
      frameOf({isPreviewed: true, field: setText(emptyField, 'hi :)')}, '80x24', {account: {...account, settings}}),
    )[1];
  };
  expect([preview(true)?.trim(), preview(false)?.trim()]).toEqual(['hi 🙂', 'hi :)']);
});

test('composer pane: a destination other than the shown conversation is marked', () => {
  const frame = frameOf({target: {kind: 'topic', channelId: 1, topic: 'pager'}});
  expect(rowsOf(frame)[0]).toMatch(/^to #backend › pager {2}not here/);
});

test('composer pane: a view without a conversation has no composer until it is opened', () => {
  const frame = egFrame({account});
  expect(composerRows(frame)).toBe(0);
  expect(composerRows(egFrame({account, screen: {composer: {...closedComposer, isOpen: true}}}))).toBe(2);
});

test('composer pane: a plain terminal gets ASCII glyphs', () => {
  const frame = frameOf({field: setText(emptyField, 'hi')}, '80x24', {display: {glyphs: 'ascii'}});
  expect(rowsOf(frame)[1]).toBe('> hi');
  expect(rowsOf(frame)[0]).not.toMatch(/·/);
});

test.each([
  [40, 2],
  [100, 1],
])('composer pane: at %i columns the reason why writing is not allowed is complete', (columns, rows) => {
  const archived = eg.state({channels: eg.byId(eg.channel({id: 1, name: 'backend', isArchived: true}))});
  const frame = egFrame({
    account: archived,
    view,
    size: `${columns}x24`,
    screen: {composer: {...closedComposer, target}},
  });
  expect(composerRows(frame)).toBe(rows);
  expect(rowsOf(frame).join(' ').replaceAll(/ +/g, ' ')).toBe('› #backend is archived: you cannot post there.');
});

test('composer pane: a Hebrew text begins at the right edge, with the cursor at its left end', () => {
  const frame = frameOf({field: setText(emptyField, 'שלום')}, '40x15', {display: {bidi: 'reorder'}});
  const layout = screenLayout(frame);
  const {x: left = 0, columns = 0} = layout.composer ?? {};
  const painted = layout.composer === undefined ? [] : composerLines(frame, layout.composer).map(reorderedLine);
  expect(textOf(painted)[1]).toBe(`› ${'םולש'.padStart(columns - 3)}`);
  expect(composerCursor(frame, layout)?.x).toBe(left + columns - 1 - 4);
});
