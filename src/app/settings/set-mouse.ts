import type {App} from '#app/core/app.ts';

/** Turns the handling of mouse events on or off until the program ends. */
export function setMouse(app: App, isMouseOn: boolean): void {
  app.set({isMouseOn});
  app.device.setMouse(isMouseOn);
}
