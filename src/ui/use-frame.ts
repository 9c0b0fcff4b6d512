import {createContext, useContext, useSyncExternalStore} from 'react';
import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('A pane is shown outside of the screen');
  return app;
}

/** A part of the frame that is shown. Give the same object for the same content, or the pane is drawn again. */
export function useFrame<T>(select: (frame: Frame) => T): T {
  const {frames} = useApp();
  return useSyncExternalStore(frames.subscribe, () => select(frames.paintedFrame));
}
