import type {MessageRow} from './db/rows.ts';

/** Markdown to HTML with this organization's names; placeholder until the markdown writer is bound. */
export class Rendering {
  message(row: Pick<MessageRow, 'id' | 'content'>): string {
    return `<p>${row.content}</p>`;
  }
  description(source: string): string {
    return `<p>${source}</p>`;
  }
  topicLinks(_topic: string): {text: string; url: string}[] {
    return [];
  }
}
