import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {UiRole} from '#theme/roles.ts';
import type {ScreenState, Size, TourArea} from '#ui/core/screen-state.ts';
import {fittedLine, type UiSpan} from './ui-line.ts';

/** The panes keep at least this many rows; the end of a long instruction is left out. */
const minPaneRows = 8;
/** Stands for the hyphen in the name of a key while lines are broken. */
const unbreakable = '\u2011';

/** Divides the terminal between the panes and the instruction of the tour below them. Keys are in backticks. */
export function dividedScreen(terminal: Size, instruction: string | undefined): Pick<ScreenState, 'size' | 'tour'> {
  if (instruction === undefined) return {size: terminal, tour: undefined};
  const tour = tourArea(instruction, terminal);
  return {size: {...terminal, rows: terminal.rows - tour.lines.length}, tour};
}

function tourArea(instruction: string, {columns, rows}: Size): TourArea {
  const spans = instruction
    .split('`')
    .map(
      (text, at): UiSpan =>
        at % 2 === 0 ? {text, role: 'text'} : {text: text.replaceAll('-', unbreakable), role: 'hint_key', bold: true},
    );
  const lines = wrapSpans<UiRole>(spans, {width: columns - 2}).slice(0, Math.max(0, rows - minPaneRows));
  const shown = lines.map(({spans: words}) =>
    words.map((one) => ({...one, text: one.text.replaceAll(unbreakable, '-')})),
  );
  return {instruction, lines: shown.map((words) => fittedLine([{text: ' ', role: 'text'}, ...words], columns))};
}

export function terminalSize({size, tour}: Pick<ScreenState, 'size' | 'tour'>): Size {
  return tour === undefined ? size : {...size, rows: size.rows + tour.lines.length};
}
