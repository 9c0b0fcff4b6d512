import type {App} from '#app/core/app.ts';
import {openPicker} from './picker.ts';

export interface ConfirmOptions {
  readonly title: string;
  /** What happens, as one reads it in a list. */
  readonly yes: string;
  readonly detail?: string;
  readonly onYes: (app: App) => void;
}

/** Asks before something that cannot be taken back. The cursor begins at the way out. */
export function confirm(app: App, {title, yes, detail, onYes}: ConfirmOptions): void {
  openPicker(app, {
    id: 'confirm',
    title,
    isMenu: true,
    rows: () => [
      {key: 'no', label: 'Cancel', right: 'n'},
      {key: 'yes', label: yes, detail, right: 'y'},
    ],
    accept: (asked, {key}) => {
      asked.closeOverlay();
      if (key === 'yes') onYes(asked);
    },
  });
}
