import type {DisplayOptions, Frame} from '#app/core/frame.ts';
import {conversationNameSpans, conversationNameText} from '#app/format/conversation-name.ts';
import {plainGlyphText, type UiGlyphs, uiGlyphs} from '#app/format/ui-glyphs.ts';
import {removalLabels} from '#app/inbox/removal-reason.ts';
import type {TriageItem} from '#app/inbox/triage-row.ts';
import {fittedLine, leftRightLine, rule, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {rowSymbolSpans} from '#app/lists/navigation-row.ts';
import {textColumns} from '#content/styled-text/text-width.ts';
import {spansColumns} from '#content/styled-text/wrap.ts';
import {typingText} from '#state/selectors/people/typing-text.ts';
import {memoizeLast} from '#std/memo.ts';

/** What a heading says, and which of it is left out first. */
interface HeadingWord {
  readonly text: string;
  readonly rank: number;
}

/** `Dan, Bo · following · 4 unread · 2h`: what matters least is left out first. */
function stateWords(item: TriageItem, progress = ''): readonly HeadingWord[] {
  const words: readonly HeadingWord[] = [
    {text: item.people, rank: 5},
    {text: item.isFollowed ? 'following' : '', rank: 4},
    {text: item.isMuted ? 'muted' : '', rank: 2},
    {
      text: item.removalReason === undefined ? `${item.count} unread` : removalLabels[item.removalReason],
      rank: 0,
    },
    {text: item.age, rank: 3},
    {text: progress, rank: 1},
  ];
  return words.filter(({text}) => text !== '');
}

/** As many as there is room for beside the title, of which a good part has to be seen as well. */
function fittingWords(words: readonly HeadingWord[], room: number, {dot}: UiGlyphs): string {
  const said = [...words];
  const text = () => said.map((word) => word.text).join(` ${dot} `);
  while (said.length > 1 && textColumns(text()) > room) {
    const least = said.reduce((worst, one) => (one.rank > worst.rank ? one : worst));
    said.splice(said.indexOf(least), 1);
  }
  return text();
}

/** A title is never cut for the sake of words that matter less. */
const leastTitle = 24;

interface PreviewHeading {
  readonly title: readonly UiSpan[];
  readonly words: string;
}

function headingOf(
  kind: Glyphs,
  item: TriageItem,
  words: readonly HeadingWord[],
  columns: number,
): PreviewHeading {
  const glyphs = uiGlyphs({glyphs: kind});
  const signs = rowSymbolSpans({...item, isFollowed: false}, glyphs);
  const label: UiSpan = {text: conversationNameText(item.label, glyphs), role: 'topic', bold: true};
  const wanted = fittedLine([label], columns).width + spansColumns(signs);
  const isNarrow = columns < 2 * leastTitle;
  const titleRoom = isNarrow ? Math.min(wanted, leastTitle) : wanted;
  const said = fittingWords(words, columns - titleRoom - 2, glyphs);
  const left = columns - textColumns(said) - 2 - spansColumns(signs);
  return {title: [...conversationNameSpans([label], Math.max(1, left), glyphs), ...signs], words: said};
}

type Glyphs = DisplayOptions['glyphs'];

/** Above the preview beside the list: which conversation it is. */
export const previewHeading = memoizeLast((glyphs: Glyphs, item: TriageItem, columns: number): UiLine => {
  const {title, words} = headingOf(glyphs, item, stateWords(item), columns - 1);
  return leftRightLine(title, [{text: `${words} `, role: 'dim'}], columns, {
    ellipsis: uiGlyphs({glyphs}).ellipsis,
  });
});

/** The same between the list and the preview below it. */
export const previewRule = memoizeLast((glyphs: Glyphs, item: TriageItem, columns: number): UiLine => {
  const {title, words} = headingOf(glyphs, item, stateWords(item), columns - 4);
  return rule(columns, {
    label: [...title, {text: `  ${words}`, role: 'dim'}],
    glyph: glyphs === 'ascii' ? '-' : '─',
    ellipsis: uiGlyphs({glyphs}).ellipsis,
  });
});

/** One at a time: also how far one is. */
export const triageHeading = memoizeLast(
  (glyphs: Glyphs, item: TriageItem, progress: string, columns: number): UiLine => {
    const {title, words} = headingOf(glyphs, item, stateWords(item, progress), columns - 2);
    return leftRightLine([{text: ' ', role: 'text'}, ...title], [{text: `${words} `, role: 'dim'}], columns, {
      ellipsis: uiGlyphs({glyphs}).ellipsis,
    });
  },
);

/** Below the messages: who writes, and that there is more. */
export function previewNotice(frame: Frame, item: TriageItem, more: string, columns: number): UiLine {
  return noticeOf(frame.display.glyphs, typingText(frame.account, item.conversation), more, columns);
}

const noticeOf = memoizeLast((glyphs: Glyphs, typing: string, more: string, columns: number): UiLine => {
  const arrow = glyphs === 'ascii' ? 'v' : '↓';
  return leftRightLine(
    [{text: typing === '' ? '' : ` ${typing}`, role: 'typing'}],
    more === '' ? [] : [{text: plainGlyphText(`${arrow} ${more} · Space `, {glyphs}), role: 'hint'}],
    columns,
  );
});
