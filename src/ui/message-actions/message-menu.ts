import type {App} from '#ui/core/app.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {openPicker} from '#ui/overlays/picker.ts';

/** An action on a message, as its command defines it. */
export interface MessageMenuEntry {
  readonly id: string;
  readonly title: string;
  readonly key: string | undefined;
  /** Why the action is unavailable now. */
  readonly disabled: string | undefined;
}

export interface MessageMenu {
  readonly title: string;
  /** Groups, separated by a line. */
  readonly groups: readonly (readonly MessageMenuEntry[])[];
  readonly run: (app: App, id: string) => void;
}

/** Opens a menu of all message actions. It shows the keys that work without the menu, so that users learn them. */
export function openMessageMenu(app: App, {title, groups, run}: MessageMenu): void {
  openPicker(app, {
    id: 'message-actions',
    title,
    isMenu: true,
    columns: 64,
    hint: {'Enter or the shown key': 'runs it', Esc: 'closes'},
    rows: () => menuRows(groups),
    accept: (from, {key}) => {
      from.closeOverlay();
      run(from, key);
    },
  });
}

function menuRows(groups: readonly (readonly MessageMenuEntry[])[]): readonly PickerRow[] {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, at): readonly PickerRow[] => [
      ...(at === 0 ? [] : [{key: `rule ${at}`, label: '', isTitle: true} as const]),
      ...group.map(({id, title, key, disabled}): PickerRow => ({key: id, label: title, right: key, disabled})),
    ]);
}
