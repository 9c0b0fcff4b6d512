import {narrowLink} from '#content/narrow-link.ts';
import type {ScriptDestination} from './chat-script.ts';
import type {DemoFile, DemoRows} from './demo-data.ts';
import {DemoDataError, type SourcePosition, withSourcePosition} from './demo-data-error.ts';
import {formatRelativeDate, formatRelativeInstant} from './relative-times.ts';
import type {PlannedMessage} from './unread-messages.ts';

const placeholder = /\{\{(\w+):([^}]*)\}\}/g;

/**
 * Replaces placeholders whose values are known only when the demo is inserted, such as `{{msg:label}}` and
 * `{{date:+3d}}`.
 */
export class PlaceholderFiller {
  readonly #rows: DemoRows;
  readonly #files: ReadonlyMap<string, DemoFile>;
  readonly #now: number;
  readonly #labelled = new Map<string, PlannedMessage>();

  constructor(rows: DemoRows, files: ReadonlyMap<string, DemoFile>, planned: readonly PlannedMessage[], now: number) {
    this.#rows = rows;
    this.#files = files;
    this.#now = now;
    for (const entry of planned) {
      for (const annotation of entry.message.annotations) {
        if (annotation.kind !== 'id') continue;
        if (this.#labelled.has(annotation.label)) {
          throw new DemoDataError(annotation.source, `the label “${annotation.label}” occurs twice`);
        }
        this.#labelled.set(annotation.label, entry);
      }
    }
  }

  /** Replaces the placeholders in a text. Labels must belong to messages before `before`, the one with the text. */
  fill(text: string, source: SourcePosition, before = Number.POSITIVE_INFINITY): string {
    return text.replaceAll(placeholder, (_all, word: string, value: string) => this.#fill(word, value, source, before));
  }

  labelledMessage(label: string, source: SourcePosition): PlannedMessage {
    const entry = this.#labelled.get(label);
    if (entry === undefined) throw new DemoDataError(source, `no message has the label “${label}”`);
    return entry;
  }

  file(name: string, source: SourcePosition): DemoFile {
    const file = this.#files.get(name);
    if (file === undefined) throw new DemoDataError(source, `there is no file “${name}”`);
    return file;
  }

  /** Returns a file by its upload path. */
  fileByPath(pathId: string, source: SourcePosition): DemoFile {
    const file = [...this.#files.values()].find((candidate) => candidate.pathId === pathId);
    if (file === undefined) throw new DemoDataError(source, `no file has the upload path “${pathId}”`);
    return file;
  }

  #fill(word: string, value: string, source: SourcePosition, before: number): string {
    switch (word) {
      case 'msg':
        return this.#link(this.#earlier(value, source, before), source);
      case 'id':
        return String(this.#earlier(value, source, before).id);
      case 'channel': {
        const {id, name} = this.#rows.channelByKey(value, source);
        return narrowLink([{operator: 'channel', operand: id, negated: false}], () => name);
      }
      case 'user':
        return String(this.#rows.user(value, source).id);
      case 'file':
        return demoUploadPath(this.file(value, source));
      case 'time':
        return withSourcePosition(source, () => formatRelativeInstant(value, this.#now));
      case 'date':
        return withSourcePosition(source, () => formatRelativeDate(value, this.#now));
      default:
        throw new DemoDataError(source, `“{{${word}:${value}}}” is not a placeholder`);
    }
  }

  #earlier(label: string, source: SourcePosition, before: number): PlannedMessage {
    const entry = this.labelledMessage(label, source);
    if (entry.id >= before) throw new DemoDataError(source, `“${label}” is not an earlier message`);
    return entry;
  }

  #link({id, conversation}: PlannedMessage, source: SourcePosition): string {
    const near = {operator: 'near', operand: id, negated: false};
    const {destination} = conversation;
    const name = destination.kind === 'channel' ? destination.channel : undefined;
    return narrowLink([...this.#terms(destination, source), near], () => name);
  }

  #terms(destination: ScriptDestination, source: SourcePosition) {
    if (destination.kind === 'channel') {
      const {id} = this.#rows.channel(destination.channel, source);
      return [
        {operator: 'channel', operand: id, negated: false},
        {operator: 'topic', operand: destination.topic, negated: false},
      ];
    }
    const ids = destination.people.map((key) => this.#rows.user(key, source).id);
    return [{operator: 'dm', operand: ids, negated: false}];
  }
}

export function demoUploadPath({pathId}: DemoFile): string {
  return `/user_uploads/${pathId}`;
}
