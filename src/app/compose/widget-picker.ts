import type {App} from '#app/core/app.ts';
import type {Picker} from '#app/core/overlay.ts';
import {changePickerField, openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {emptyLine, setText} from '#app/text/text-field.ts';
import {changeMessageText} from './change-composer.ts';

interface WidgetKind {
  readonly command: '/poll' | '/todo';
  readonly title: string;
  readonly heading: string;
  readonly item: string;
}

const kinds = {
  poll: {command: '/poll', title: 'Poll', heading: 'the question', item: 'an answer'},
  todo: {command: '/todo', title: 'Todo list', heading: 'what it is about', item: 'a task'},
} as const satisfies Record<string, WidgetKind>;

/** A poll or a todo list, asked for line by line; what comes of it is text to look at before it is sent. */
export function openWidgetPicker(app: App): void {
  if (app.screen.composer.field.text.trim() !== '') {
    app.toast('A poll or a todo list is a message of its own: send or put away this text first', 'warning');
    return;
  }
  openPicker(app, {
    id: 'widget',
    title: 'Ask or plan',
    rows: () => [
      {key: 'poll', label: 'Poll', detail: 'a question with answers to vote for'},
      {key: 'todo', label: 'Todo list', detail: 'tasks to tick off'},
    ],
    accept: (from, {key}) => {
      from.closeOverlay();
      askLines(from, key === 'todo' ? kinds.todo : kinds.poll);
    },
  });
}

const done = 'done';

function askLines(app: App, kind: WidgetKind): void {
  openPicker(app, linesPicker(kind, []));
}

/** `lines`: what was added so far. */
function linesPicker(kind: WidgetKind, lines: readonly string[]): Picker {
  return {
    id: 'widget-lines',
    title: kind.title,
    placeholder: `${kind.heading}, then ${kind.item} each; an empty line ends it`,
    hint: 'Enter adds · Enter on nothing is done',
    rows: (_frame, query) => {
      const wanted = lines.length === 0 ? kind.heading : kind.item;
      const next =
        query.trim() === ''
          ? {key: done, label: lines.length === 0 ? `Write ${wanted}` : 'Done'}
          : {key: `add ${query.trim()}`, label: `Add “${query.trim()}”`};
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
