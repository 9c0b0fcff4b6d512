import {type ManualTopic, manualTopics, readManualTopic} from '#content/manual/manual-topics.ts';
import type {App} from '#ui/core/app.ts';
import {openLoadingCard} from '#ui/overlays/loading-card.ts';
import {openPicker} from '#ui/overlays/picker.ts';

/** Opens the list of the manual's chapters. */
export function openManual(app: App): void {
  openPicker(app, {
    id: 'manual',
    title: 'Manual',
    columns: 72,
    rows: (_frame, query) =>
      manualTopics
        .filter(({title, summary}) => `${title} ${summary}`.toLowerCase().includes(query.trim().toLowerCase()))
        .map(({id, title, summary}) => ({key: id, label: title, detail: summary})),
    empty: 'No matches',
    accept: (opened, {key}) => {
      const topic = manualTopics.find(({id}) => id === key);
      if (topic !== undefined) openChapter(opened, topic);
    },
    hint: 'Enter read · Esc close',
  });
}

/** Opens a chapter over the list of chapters. marked-terminal is loaded here, with the first chapter that is read. */
function openChapter(app: App, topic: ManualTopic): void {
  openLoadingCard(app, {
    id: 'manual-chapter',
    title: () => topic.title,
    columns: 100,
    ask: async () => ({
      manualLines: (await import('#content/manual/manual-lines.ts')).manualLines,
      markdown: readManualTopic(topic),
    }),
    lines: (_frame, width, {manualLines, markdown}) => manualLines(markdown, width),
    hint: 'Space page · Esc close',
  });
}
