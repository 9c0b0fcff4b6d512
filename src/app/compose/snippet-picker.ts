import {requestFromServer} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {PickerRow} from '#app/core/overlay.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {insert} from '#app/text/text-field.ts';
import {saveSnippet} from '#state/actions/snippets.ts';
import {fuzzyMatch} from '#std/fuzzy.ts';
import {printableLine} from '#std/printable.ts';
import {changeMessageText} from './change-composer.ts';

const saving = 'save';

/** Saved pieces of text; the last row saves what is written now. */
export function openSnippetPicker(app: App): void {
  openPicker(app, {
    id: 'snippets',
    title: 'Snippets',
    placeholder: 'title',
    hint: 'Enter puts it in',
    rows: snippetRows,
    accept: (from, {key}) => {
      from.closeOverlay();
      if (key === saving) {
        askTitle(from);
        return;
      }
      const snippet = from.state.snippets.get(Number(key));
      if (snippet !== undefined) changeMessageText(from, (field) => insert(field, snippet.content));
    },
  });
}

function snippetRows({account, screen}: Frame, query: string): readonly PickerRow[] {
  const found = [...account.snippets.values()].flatMap(({id, title, content}) => {
    const match = fuzzyMatch(query, title);
    if (match === undefined) return [];
    const row = {key: String(id), label: title, detail: printableLine(content), matched: match.ranges};
    return [{row, score: match.score}];
  });
  found.sort((a, b) => b.score - a.score || a.row.label.localeCompare(b.row.label));
  const isEmpty = screen.composer.field.text.trim() === '';
  return [
    ...found.map(({row}) => row),
    {
      key: saving,
      label: 'Save what is written as a snippet…',
      ...(isEmpty && {disabled: 'There is nothing written yet.'}),
    },
  ];
}

function askTitle(app: App): void {
  const content = app.screen.composer.field.text;
  openPicker(app, {
    id: 'snippet-title',
    title: 'Save as',
    placeholder: 'title',
    rows: (_frame, query) =>
      query.trim() === '' ? [] : [{key: query.trim(), label: `Save as “${query.trim()}”`}],
    accept: (from, {key}) => {
      from.closeOverlay();
      requestFromServer(from, {
        send: () => saveSnippet(from.session.context, key, content),
        doneText: () => `Saved “${key}”`,
        failureText: 'Not saved',
      });
    },
  });
}
