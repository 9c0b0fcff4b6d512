import type {App} from '#app/core/app.ts';
import {changePickerField, openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {composed} from '#std/composed-text.ts';
import type {Picker} from '#ui/core/overlay.ts';
import {emptyLine, setText} from '#ui/text/text-field.ts';
import {changeMessageText} from './change-composer.ts';

interface WidgetKind {
  readonly command: '/poll' | '/todo';
  readonly title: string;
  readonly heading: string;
  readonly item: string;
}

const kinds = {
  poll: {command: '/poll', title: 'Poll', heading: 'the question', item: 'an answer'},
  todo: {command: '/todo', title: 'To-do list', heading: 'the title', item: 'a task'},
} as const satisfies Record<string, WidgetKind>;

/** Composes a poll or a to-do list line by line; the result is text that the user can check before sending. */
export function openWidgetPicker(app: App): void {
  if (app.screen.composer.field.text.trim() !== '') {
    app.toast('A poll or to-do list is a separate message: send or save this text first', 'warning');
    return;
  }
  openPicker(app, {
    id: 'widget',
    title: 'Poll or to-do',
    rows: () => [
      {key: 'poll', label: 'Poll', detail: 'a question with options to vote on'},
      {key: 'todo', label: 'To-do list', detail: 'tasks to tick off'},
    ],
    accept: (from, {key}) => {
      from.closeOverlay();
      openPicker(from, linesPicker(key === 'todo' ? kinds.todo : kinds.poll, []));
    },
  });
}

const done = 'done';

/** `lines`: the lines added so far. */
function linesPicker(kind: WidgetKind, lines: readonly string[]): Picker {
  return {
    id: 'widget-lines',
    title: kind.title,
    placeholder: `${kind.heading}, then ${kind.item} each; an empty line ends it`,
    hint: {Enter: 'adds', 'empty Enter': 'finishes'},
    rows: (_frame, query) => {
      const wanted = lines.length === 0 ? kind.heading : kind.item;
      const next =
        query.trim() === ''
          ? {key: done, label: lines.length === 0 ? `Write ${wanted}` : 'Done'}
          : {key: `add ${query.trim()}`, label: composed`Add “${query.trim()}”`};
      const titles = lines.map((label, at) => ({key: `line ${at}`, label, isTitle: true as const}));
      return [next, ...titles];
    },
    accept: (from, {key}) => {
      if (key === done) {
        if (lines.length === 0) return;
        from.closeOverlay();
        changeMessageText(from, (field) => ({
          ...setText(field, widgetText(kind, lines)),
          changes: field.changes,
        }));
        return;
      }
      refreshPicker(from, 'widget-lines', linesPicker(kind, [...lines, key.slice('add '.length)]));
      changePickerField(from, () => emptyLine);
    },
  };
}

function widgetText({command}: WidgetKind, [heading = '', ...items]: readonly string[]): string {
  return [`${command} ${heading}`, ...items].join('\n');
}
