import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {serviceTemplates} from '#server/webhooks/services.ts';
import {webhookFixture} from './webhook-fixture.ts';

interface Payload {
  readonly service: string;
  readonly what: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly topic: string;
  readonly content: string;
}

/** Bodies in the form that the vendors document, and the messages that they become. */
const payloads: readonly Payload[] = JSON.parse(readFileSync('test/fixtures/webhooks/services.json', 'utf8'));

test.each(payloads)('webhook of $service: $what', async ({service, headers, body, topic, content}) => {
  const {call, lastMessage} = await webhookFixture();
  expect(await call(service, {stream: 'code'}, body, headers)).toMatchObject({status: 200, result: 'success'});
  expect(await lastMessage()).toMatchObject({subject: topic, content});
});

test('webhooks of services: every template has a payload that tries it', () => {
  const tried = new Set(payloads.map(({service, what}) => `${service} ${what.split(/[: ]/)[0]}`));
  const templates = Object.entries(serviceTemplates).flatMap(([service, {contents}]) =>
    Object.keys(contents).map((event) => `${service} ${event}`),
  );
  expect(templates.filter((each) => !tried.has(each))).toEqual([]);
});

test('webhooks of services: an unknown event causes no message, and a body of another service is refused', async () => {
  const {call} = await webhookFixture();
  const gitea = (event: string) =>
    call('gitea', {stream: 'code'}, {repository: {name: 'harbor'}}, {'x-gitea-event': event});
  expect(await gitea('wiki')).toMatchObject({status: 200, result: 'success'});
  expect(await call('gitea', {stream: 'code'}, {x: 1})).toMatchObject({code: 'ANOMALOUS_WEBHOOK_PAYLOAD'});
  expect(await call('gitlab', {stream: 'code'}, 'not JSON')).toMatchObject({code: 'INVALID_JSON'});
});

test('webhook json: templates in the address make topic and text; a wrong one is refused with the reason', async () => {
  const {call, lastMessage} = await webhookFixture();
  const body = {repo: {name: 'harbor'}, who: 'Ann'};
  const templates = {topic_template: '{{repo.name}}', content_template: '{{who}} was here'};
  await call('json', {stream: 'code', ...templates}, body);
  expect(await lastMessage()).toMatchObject({subject: 'harbor', content: 'Ann was here'});
  // A template may choose what causes a message.
  const optional = {...templates, content_template: '{{#if important}}{{who}} was here{{/if}}'};
  expect(await call('json', {stream: 'code', ...optional}, body)).toMatchObject({status: 200, result: 'success'});
  expect(await call('json', {stream: 'code', content_template: '{{#if who}}'}, body)).toMatchObject({
    status: 400,
    msg: 'The template is wrong: {{#if who}} has no {{/if}}.',
  });
});
