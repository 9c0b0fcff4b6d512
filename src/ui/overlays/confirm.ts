import type {App} from '#ui/core/app.ts';
import {openPicker} from './picker.ts';

export interface ConfirmOptions {
  readonly title: string;
  /** The label of the confirming row. */
  readonly yes: string;
  readonly detail?: string;
  readonly onYes: (app: App) => void;
}

/** Asks before an action that cannot be undone. The cursor starts on Cancel. */
export function confirm(app: App, {title, yes, detail, onYes}: ConfirmOptions): void {
  openPicker(app, {
    id: 'confirm',
    title,
    isMenu: true,
    rows: () => [
      {key: 'no', label: 'Cancel', right: 'n'},
      {key: 'yes', label: yes, detail, right: 'y'},
    ],
    accept: (from, {key}) => {
      from.closeOverlay();
      if (key === 'yes') onYes(from);
    },
  });
}
