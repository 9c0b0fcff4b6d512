import {composerSaver} from '#ui/composer/composer-saver.ts';
import type {App} from '#ui/core/app.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';

/** Shows in a banner that nothing can be written to disk, and saves the composer's text when it can be written again. */
export function watchWriteProblem(app: App, displayDirectory: (path: string) => string): void {
  const {store} = app.session.context;
  const update = () => {
    const {writeProblem: problem} = store;
    app.set({writeProblem: problem && {directory: displayDirectory(problem.path), cause: problem.cause}});
    if (problem === undefined) composerSaver(app).flush();
  };
  app.onEnd(store.onWriteProblem(update));
  if (store.writeProblem !== undefined) update();
}

/** Returns what would be lost if the program ended now, such as `2 unsent messages and 1 draft`; undefined when nothing would. */
export function unkeptText(app: App): string | undefined {
  composerSaver(app).flush();
  if (app.screen.writeProblem === undefined) return undefined;
  const {outbox, localDrafts} = app.state;
  const isUnsaved = composerSaver(app).isUnsaved && app.screen.composer.field.text.trim() !== '';
  const counts: readonly (readonly [number, string])[] = [
    [outbox.filter(({status}) => status !== 'sent').length, 'unsent message'],
    [localDrafts.filter(({status}) => status === 'dirty').length + (isUnsaved ? 1 : 0), 'draft'],
    [app.session.pendingChanges.pendingActions().length, 'unsent change'],
  ];
  const texts = counts.flatMap(([count, noun]) => (count === 0 ? [] : [countedNoun(count, noun)]));
  return texts.length === 0 ? undefined : texts.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
