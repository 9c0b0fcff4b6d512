import {stripVTControlCharacters} from 'node:util';
import {Box} from 'ink';
import {Profiler} from 'react';
import {expect, test} from 'vitest';
import {topicNarrow} from '#state/model/narrow.ts';
import {egFrame, egRect, textOf} from '#test/support/frame-fixture.ts';
import {composerLines} from '#test/support/part-lines.ts';
import {renderWithFrame} from '#test/support/render-ink.tsx';
import * as eg from '#test/support/state-builders.ts';
import {Composer} from '#ui/composer/Composer.tsx';
import {composerRows} from '#ui/composer/composer-lines.ts';
import {type ComposerState, closedComposer} from '#ui/composer/composer-state.ts';
import {noRecipients} from '#ui/composer/recipients.ts';
import {type Frame, messagesView} from '#ui/core/frame.ts';
import {emptyField, setText} from '#ui/text/text-field.ts';

const account = eg.state({connection: {phase: 'online'}, channels: eg.byId(eg.channel({id: 1, name: 'backend'}))});
const target = {kind: 'topic', channelId: 1, topic: 'deploy freeze'} as const;
const view = messagesView(topicNarrow(1, 'deploy freeze'));
function frameOf(composer: Partial<ComposerState>, focus: 'composer' | 'main' = 'composer'): Frame {
  return egFrame({
    account,
    view,
    size: '80x8',
    screen: {focus, composer: {...closedComposer, target, isOpen: focus === 'composer', ...composer}},
  });
}

function rendered(frame: Frame) {
  const rect = egRect(`80x${composerRows(frame)}`);
  let renderCount = 0;
  const ink = renderWithFrame(
    <Box width={80} height={8}>
      <Profiler id="composer" onRender={() => void renderCount++}>
        <Composer rect={rect} />
      </Profiler>
    </Box>,
    frame,
  );
  const text = () => ink.rows().map((row) => stripVTControlCharacters(row).trimEnd());
  return {...ink, text, renderCount: () => renderCount};
}

const written = setText(emptyField, 'one\n**two**');
const upload = {name: 'plan.pdf', percent: 40};

test.each([
  ['without text', {}, /^to #backend › deploy freeze.*\n› Write here/],
  ['with text', {field: written}, /\n› one\n {2}\*\*two\*\*\n/],
  ['with a preview', {field: written, isPreviewed: true}, /preview.*\n {2}one\n {2}two\n/],
  ['with an upload', {field: written, upload}, /\n› one\n {2}\*\*two\*\*\n plan\.pdf · 40 % uploaded/],
  ['with fields', {recipients: noRecipients('channel'), activePart: 'to'}, /^ Channel .*\n Topic .*\n› Write here/],
] as const)('Composer: open %s, every part is in its place', (_, state, shown) => {
  const frame = frameOf(state);
  const expected = textOf(composerLines(frame, egRect(`80x${composerRows(frame)}`)));
  const {text} = rendered(frame);
  expect(text().slice(0, expected.length)).toEqual(expected);
  expect(text().join('\n')).toMatch(shown);
});

test('Composer: closed, it is one line with the destination or the first line of the draft', () => {
  expect(rendered(frameOf({}, 'main')).text()[0]).toBe('› To #backend › deploy freeze');
  expect(rendered(frameOf({field: written}, 'main')).text()[0]).toMatch(/^› one … +✎ draft$/);
});

test('Composer: before the account is loaded it shows what is written', () => {
  const frame = {...frameOf({field: written}), account: eg.state({})};
  expect(rendered(frame).text().slice(1, 3)).toEqual(['› one', '  **two**']);
});

test.each([
  ['open', frameOf({field: written})],
  ['closed', frameOf({field: written}, 'main')],
] as const)('Composer: %s, a change that it does not show renders nothing', async (_, frame) => {
  const {paint, text, renderCount} = rendered(frame);
  await paint({...frame, screen: {...frame.screen, toast: {text: 'x', tone: 'plain', id: 1}}});
  expect(renderCount()).toBe(1);
  const composer = {...frame.screen.composer, field: setText(emptyField, 'more')};
  await paint({...frame, screen: {...frame.screen, composer}});
  expect(renderCount()).toBe(2);
  expect(text().join('\n')).toContain('› more');
});
