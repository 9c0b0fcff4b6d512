import {inject, onTestFinished} from 'vitest';
import type {RequestObserver} from '#server/http/listener-options.ts';
import {type RunningServer, type ServerOptions, startServer} from '#server/server.ts';
import {currentLevel} from '#wire/levels.ts';
import {ApiClient} from './api-client.ts';
import {People, type Person} from './people.ts';

/** The lowest cost of scrypt: tests do not need passwords that are hard to guess. */
export const testPasswordCost = 2;

declare module 'vitest' {
  interface ProvidedContext {
    /** How late servers answer changes. Their events come at once. */
    answerDelayMs: number;
  }
}

export interface TestServer extends RunningServer {
  readonly people: People;
  /** Returns a client that authenticates as this person. */
  as(person: Person): ApiClient;
  anonymous(): ApiClient;
}

const delayAnswer: RequestObserver = (method, path, response) => {
  const delayMs = inject('answerDelayMs');
  if (delayMs === 0 || method === 'GET' || !path.startsWith('/api/')) return;
  const end = response.end.bind(response) as (...args: unknown[]) => unknown;
  response.end = (...args: unknown[]) => {
    setTimeout(() => end(...args), delayMs);
    return response;
  };
};

/** Starts a real server on a free port with an in-memory database; it is closed when the test ends. */
export async function testServer(options: ServerOptions = {}): Promise<TestServer> {
  const running = await startServer({
    passwordCost: testPasswordCost,
    log: (line, error) => console.error(line, error),
    ...options,
    onRequest: (...request) => {
      delayAnswer(...request);
      options.onRequest?.(...request);
    },
  });
  onTestFinished(() => running.close());
  const people = new People(running.context);
  const isChecked = running.context.level === currentLevel;
  return {
    ...running,
    people,
    as: (person) => new ApiClient(running.url, person, {isChecked}),
    anonymous: () => new ApiClient(running.url, undefined, {isChecked}),
  };
}
