import type {App} from '#ui/core/app.ts';
import {persistValue, readPersistedValue} from '#ui/core/persisted-value.ts';

const storageKey = 'sidebar.order';

/** Reads the order of the sidebar's views from disk; servers do not store it. */
export function loadSidebarOrder(app: App): void {
  const sidebarOrder = readPersistedValue(app, storageKey, (value) =>
    Array.isArray(value) ? value.filter((fragment) => typeof fragment === 'string') : [],
  );
  if (sidebarOrder.length > 0) app.set({sidebarOrder});
}

/** Sets the order: the fragments of all views. An empty one is the default order. */
export function setSidebarOrder(app: App, sidebarOrder: readonly string[]): void {
  app.set({sidebarOrder});
  persistValue(app, storageKey, sidebarOrder);
}
