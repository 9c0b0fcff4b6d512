import {emojiText} from '#content/emoji-text.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import type {CompletionMenu, ComposerState} from '#ui/composer/composer-state.ts';
import type {DisplayOptions, Frame, PaneLine} from '#ui/core/frame.ts';
import type {Rect, SelectedRows} from '#ui/layout/layout.ts';
import {fittedLine, paddedLine, rule, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {presenceSpans} from '#ui/lists/navigation-row.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import type {CompletionOption} from '#ui/search/completion.ts';
import {plainGlyphText, ruleGlyph, uiGlyphs} from '#wording/ui-glyphs.ts';

/** Returns the channel whose topics the composer completes. */
export function completedTopics({activePart, target, menu}: ComposerState): number | undefined {
  if (activePart === 'topic') return target.kind === 'topic' ? target.channelId : undefined;
  return menu?.completion.channelId;
}

const maxRows = 6;

const titles: Readonly<Record<CompletionMenu['completion']['kind'], string>> = {
  mention: 'people and groups',
  channel: 'channels',
  topic: 'topics',
  emoji: 'emoji',
  language: 'languages',
  command: 'commands',
  time: 'times',
  link: 'messages',
  people: 'people',
  search: 'search',
  file: 'files',
};

/** Returns the menu's rectangle, right above the composer; undefined when there are no completions. */
export function completionMenuRect(frame: Frame): Rect | undefined {
  const {screen} = frame;
  const {menu} = screen.composer;
  if (menu === undefined || screen.focus !== 'composer' || screen.overlays.length > 0) return undefined;
  const {composer, main} = screenLayout(frame);
  if (composer === undefined) return undefined;
  const rows = Math.min(maxRows, menu.completion.options.length, Math.max(1, main.rows - 1)) + 1;
  return {x: composer.x, y: Math.max(0, composer.y - rows), columns: composer.columns, rows};
}

export function completionMenuLines(
  menu: CompletionMenu,
  {columns, rows}: Rect,
  display: DisplayOptions,
): readonly PaneLine[] {
  const {completion, index} = menu;
  const {options, kind} = completion;
  const visibleRows = rows - 1;
  const first = firstVisible(menu, visibleRows);
  const count = options.length > visibleRows ? ` ${(index ?? 0) + 1}/${options.length}` : '';
  const label: UiSpan[] = [{text: `${titles[kind]}${count}`, role: 'dim'}];
  return [
    rule(columns, {label, glyph: ruleGlyph(display)}),
    ...options
      .slice(first, first + visibleRows)
      .map((option, at) => optionLine(display, option, first + at === index, columns)),
  ];
}

function firstVisible({completion, index}: CompletionMenu, visibleRows: number): number {
  return Math.max(0, Math.min((index ?? 0) - visibleRows + 1, completion.options.length - visibleRows));
}

/** Returns the index of the option painted at row `y`. */
export function completionOptionAt(frame: Frame, y: number): number | undefined {
  const {menu} = frame.screen.composer;
  const rect = completionMenuRect(frame);
  if (menu === undefined || rect === undefined) return undefined;
  const row = y - rect.y - 1;
  return row < 0 || row >= rect.rows - 1 ? undefined : row + firstVisible(menu, rect.rows - 1);
}

/** Returns the row of the chosen option. */
export function chosenCompletion(frame: Frame): SelectedRows | undefined {
  const {menu} = frame.screen.composer;
  const rect = completionMenuRect(frame);
  if (menu?.index === undefined || rect === undefined) return undefined;
  const y = rect.y + 1 + menu.index - firstVisible(menu, rect.rows - 1);
  return {x: rect.x + 1, y, rows: 1, key: `completion ${menu.completion.options[menu.index]?.label}`};
}

function optionLine(display: DisplayOptions, option: CompletionOption, isChosen: boolean, columns: number): UiLine {
  const role = isChosen ? 'menu_selected' : option.refusal === undefined ? 'text' : 'disabled';
  const why = option.refusal ?? option.detail;
  const detail = why && plainGlyphText(why, display);
  const spans: UiSpan[] = [
    {text: isChosen ? uiGlyphs(display).bar : ' ', role: 'cursor_bar'},
    ...presenceSpans(option.presence, uiGlyphs(display)),
    ...emojiSpans(display, option),
    ...labelSpans(option, role),
    ...(detail === undefined
      ? []
      : [{text: `  ${detail}`, role: option.isNew === true ? 'new_topic' : 'dim'} as const]),
  ];
  return paddedLine(fittedLine(spans, columns), columns);
}

function labelSpans({label, ranges}: CompletionOption, role: UiSpan['role']): readonly UiSpan[] {
  // The ranges count in the original label, so they would be wrong once sanitizing changes it.
  if (sanitizeText(label) !== label) return [{text: label, role}];
  const spans: UiSpan[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    if (start > at) spans.push({text: label.slice(at, start), role});
    spans.push({text: label.slice(start, end), role: role === 'text' ? 'matched' : role, bold: true});
    at = end;
  }
  if (at < label.length) spans.push({text: label.slice(at), role});
  return spans;
}

function emojiSpans(display: DisplayOptions, {emoji}: CompletionOption): readonly UiSpan[] {
  if (emoji === undefined) return [];
  const text = emojiText(emoji, {...display.emoji, ascii: display.glyphs === 'ascii'});
  // The label already shows the emoji's name.
  return text.startsWith(':') ? [] : [{text: `${text} `, role: 'emoji'}];
}
