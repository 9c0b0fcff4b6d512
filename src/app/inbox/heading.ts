import type {Frame} from '#app/frame.ts';
import {joined, rule, type UiLine, type UiSpan} from '#app/lines.ts';
import {signSpans} from '#app/lists/place-row.ts';
import {plainSignText, uiGlyphs} from '#app/ui-glyphs.ts';
import {typingLine} from '#state/selectors/typing.ts';
import type {TriageItem} from './triage-row.ts';

interface Kept {
  readonly from: string;
  readonly line: UiLine;
}

/** The same line for the same words. */
function steady(): (from: string, make: () => UiLine) => UiLine {
  let kept: Kept | undefined;
  return (from, make) => {
    if (kept?.from !== from) kept = {from, line: make()};
    return kept.line;
  };
}

const kept = {beside: steady(), below: steady(), triage: steady(), notice: steady()};

/** `following · 4 unread · 2h` */
function stateWords({looks}: Frame, item: TriageItem): string {
  const {dot} = uiGlyphs(looks);
  const words = [
    ...(item.isFollowed ? ['following'] : []),
    ...(item.inGroup === 'muted' ? ['muted'] : []),
    item.isGone ? 'read elsewhere' : `${item.count} unread`,
    ...(item.age === '' ? [] : [item.age]),
  ];
  return words.join(` ${dot} `);
}

function titleSpans({looks}: Frame, item: TriageItem): readonly UiSpan[] {
  return [
    {text: item.label, role: 'topic', bold: true},
    ...signSpans({...item, isFollowed: false}, uiGlyphs(looks)),
  ];
}

/** Above the preview beside the list: which conversation it is. */
export function previewHeading(frame: Frame, item: TriageItem, columns: number): UiLine {
  const words = stateWords(frame, item);
  const {ellipsis} = uiGlyphs(frame.looks);
  return kept.beside(keyOf(frame, item, words, columns), () =>
    joined(titleSpans(frame, item), [{text: `${words} `, role: 'dim'}], columns, {ellipsis, leastLeft: 20}),
  );
}

/** The same between the list and the preview below it. */
export function previewRule(frame: Frame, item: TriageItem, columns: number): UiLine {
  const words = stateWords(frame, item);
  const {ellipsis} = uiGlyphs(frame.looks);
  const glyph = frame.looks.glyphs === 'ascii' ? '-' : '─';
  return kept.below(keyOf(frame, item, words, columns), () =>
    rule(columns, {
      label: [...titleSpans(frame, item), {text: `  ${words}`, role: 'dim'}],
      glyph,
      ellipsis,
    }),
  );
}

/** One at a time: also how far one is. */
export function triageHeading(frame: Frame, item: TriageItem, progress: string, columns: number): UiLine {
  const words = stateWords(frame, item);
  const {ellipsis, dot} = uiGlyphs(frame.looks);
  return kept.triage(`${keyOf(frame, item, words, columns)} ${progress}`, () =>
    joined(
      [{text: ' ', role: 'text'}, ...titleSpans(frame, item)],
      [{text: `${words}${progress === '' ? '' : ` ${dot} ${progress}`} `, role: 'dim'}],
      columns,
      {ellipsis, leastLeft: 20},
    ),
  );
}

function keyOf({looks}: Frame, item: TriageItem, words: string, columns: number): string {
  return `${looks.glyphs} ${columns} ${words} ${item.isResolved} ${item.hasDraft} ${item.label}`;
}

/** Below the messages: who writes, and that there is more. */
export function previewNotice(frame: Frame, item: TriageItem, hasMore: boolean, columns: number): UiLine {
  const typing = typingLine(frame.account, item.conversation);
  const arrow = frame.looks.glyphs === 'ascii' ? 'v' : '↓';
  return kept.notice(`${frame.looks.glyphs} ${columns} ${typing} ${hasMore}`, () =>
    joined(
      [{text: typing === '' ? '' : ` ${typing}`, role: 'typing'}],
      hasMore ? [{text: plainSignText(`${arrow} more · Space `, frame.looks), role: 'hint'}] : [],
      columns,
    ),
  );
}
