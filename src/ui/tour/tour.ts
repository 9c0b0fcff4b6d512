import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {persistValue, readPersistedValue} from '#ui/core/persisted-value.ts';
import {dividedScreen, terminalSize} from '#ui/layout/tour-area.ts';
import {type KeyText, tourSteps, wayTo} from './tour-steps.ts';

const valueName = 'tour';

/** The saved progress: it outlives the program. */
interface TourProgress {
  readonly step: number;
  readonly isOn: boolean;
}

function savedProgress(app: App): TourProgress | undefined {
  return readPersistedValue(app, valueName, (value) => {
    if (typeof value !== 'object' || value === null || !('step' in value) || !('isOn' in value)) return undefined;
    const {step, isOn} = value;
    return typeof step === 'number' && tourSteps[step] !== undefined ? {step, isOn: isOn === true} : undefined;
  });
}

/** Continues a tour that was on when the program ended. `isNewUser` begins one that never ran. */
export function continueTour(app: App, isNewUser: boolean): void {
  const {step, isOn} = savedProgress(app) ?? {step: 0, isOn: isNewUser};
  if (isOn) runTour(app, step);
}

/** Ends the tour, or continues it where it was ended. A complete tour begins again. */
export function toggleTour(app: App): void {
  const step = savedProgress(app)?.step ?? 0;
  if (app.screen.tour === undefined) {
    runTour(app, step);
    return;
  }
  const isComplete = step === tourSteps.length - 1;
  persistValue(app, valueName, {step: isComplete ? 0 : step, isOn: false});
  app.set(dividedScreen(terminalSize(app.screen), undefined));
}

/** Shows the instruction of each step until it is done, and then the next one. */
function runTour(app: App, from: number): void {
  let step = from;
  let before: Frame = app.frame;
  const begin = () => {
    before = app.frame;
    persistValue(app, valueName, {step, isOn: true} satisfies TourProgress);
  };
  const update = () => {
    const frame = app.frame;
    while (tourSteps[step]?.isDone(frame, before) === true) {
      step += 1;
      begin();
    }
    show(app, step, frame);
  };
  const stop = app.frames.subscribe(() => {
    if (app.screen.tour === undefined) stop();
    else update();
  });
  app.onEnd(stop);
  begin();
  update();
}

function show(app: App, step: number, frame: Frame): void {
  const {keys} = app.info;
  const shown = tourSteps[step];
  if (shown === undefined || keys === undefined) return;
  const key: KeyText = (id) => `\`${keys.keyOf(id)}\``;
  const text = wayTo(shown.place, frame, key) ?? shown.text(key, frame);
  const instruction = `\`Tour ${step + 1}/${tourSteps.length}\`  ${text} (${key('tour.toggle')} closes the tour)`;
  if (instruction !== app.screen.tour?.instruction) app.set(dividedScreen(terminalSize(app.screen), instruction));
}
