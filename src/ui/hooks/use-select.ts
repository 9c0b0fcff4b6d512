import {createContext, useContext, useRef, useSyncExternalStore} from 'react';
import {deepEqual} from '#std/deep-equal.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';

/** The part of the app that components read: the snapshot of the query cache and the screen that is painted, and when it changes. */
interface SnapshotProvider {
  readonly frames: {
    readonly paintedFrame: Frame;
    readonly subscribe: (listener: () => void) => () => void;
  };
}

export const AppContext = createContext<SnapshotProvider | undefined>(undefined);

/**
 * Selects from the snapshot of the paint: the account as the query cache has it, the screen, and how to display both. All
 * components of one paint read the same snapshot. The component renders again when the selected value is not equal to the
 * last one. `select` runs once for each snapshot, and once more in the render of a changed value.
 */
export function useSelect<T>(
  select: (snapshot: Frame) => T,
  isEqual: (a: NonNullable<T>, b: NonNullable<T>) => boolean = Object.is,
): T {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('A component of the screen is rendered outside of AppContext');
  const lastSelected = useRef<{readonly snapshot: Frame; readonly select: unknown; readonly value: T}>(undefined);
  return useSyncExternalStore(app.frames.subscribe, () => {
    const snapshot = app.frames.paintedFrame;
    const last = lastSelected.current;
    if (last?.snapshot === snapshot && last.select === select) return last.value;
    const next = select(snapshot);
    const isSame = last?.value != null && next != null && isEqual(last.value, next);
    const value = isSame ? last.value : next;
    lastSelected.current = {snapshot, select, value};
    return value;
  });
}

/** Selects by structure: an equal value of another identity does not render again. For small values. */
export function useSelectEqual<T>(select: (snapshot: Frame) => T): T {
  return useSelect(select, deepEqual);
}

/** Reads a part of the screen state: what the user looks at, which the server does not know. */
export function useScreen<T>(select: (screen: ScreenState) => T): T {
  return useSelect(({screen}) => select(screen));
}
