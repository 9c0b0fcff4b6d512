import {changeProblem, failureReason} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {openPicker, replacePicker} from './picker.ts';

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

/** A question whose answer depends on something that the server must be asked first, such as a number of messages. */
interface CountedConfirmOptions<T> {
  readonly title: string;
  /** Shown until the server has answered: `Counting messages…`. */
  readonly progressText: string;
  readonly load: () => Promise<T>;
  /** Returns the confirming row and what it does, or why there is nothing to confirm. */
  readonly question: (loaded: T) =>
    | {
        readonly yes: string;
        readonly detail?: string;
        readonly onYes: (app: App) => void;
      }
    | string;
}

const id = 'confirm counted';

/** Asks before an action. It opens at once, so that a key that is pressed meanwhile cannot confirm by accident. */
export function confirmCounted<T>(app: App, options: CountedConfirmOptions<T>): void {
  const problem = changeProblem(app);
  if (problem !== undefined) {
    app.toast(problem, 'warning');
    return;
  }
  const {title, progressText, load, question} = options;
  const picker = (yes: Omit<PickerRow, 'key' | 'right'>, onYes: (from: App) => void) => ({
    id,
    title,
    isMenu: true as const,
    rows: () => [
      {key: 'no', label: 'Cancel', right: 'n'},
      {key: 'yes', right: 'y', ...yes},
    ],
    accept: (from: App, {key}: PickerRow) => {
      from.closeOverlay();
      if (key === 'yes') onYes(from);
    },
  });
  const unavailable = (text: string) =>
    replacePicker(
      app,
      id,
      picker({label: text, disabled: text}, () => {}),
    );
  openPicker(
    app,
    picker({label: progressText, disabled: progressText}, () => {}),
  );
  load().then(
    (loaded) => {
      const asked = question(loaded);
      if (typeof asked === 'string') unavailable(asked);
      else replacePicker(app, id, picker({label: asked.yes, detail: asked.detail}, asked.onYes));
    },
    (error: unknown) => unavailable(failureReason(error) ?? 'The session has ended'),
  );
}
