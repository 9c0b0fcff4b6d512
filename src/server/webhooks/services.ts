/** How the webhooks of a service become messages: templates of `template.ts`, for each event that has one. */
export interface ServiceTemplate {
  readonly name: string;
  /** The name of the event, in the words of the service. */
  readonly event: string;
  readonly topic: string;
  readonly contents: Readonly<Record<string, string>>;
}

const commits = '{{#each commits}}\n* [{{id|short}}]({{url}}): {{message|line}}{{/each}}';

const giteaSubject =
  '[#{{number}} {{#if pull_request}}{{pull_request.title}}{{else}}{{issue.title}}{{/if}}]({{#if pull_request}}{{pull_request.html_url}}{{else}}{{issue.html_url}}{{/if}})';

export const serviceTemplates: Readonly<Record<string, ServiceTemplate>> = {
  gitlab: {
    name: 'GitLab',
    event: '{{object_kind}}',
    topic:
      '{{project.name}}{{#if ref}} / {{ref|branch}}{{/if}}{{#if object_attributes.iid}} / {{#if object_kind = merge_request}}MR !{{else}}issue #{{/if}}{{object_attributes.iid}} {{object_attributes.title}}{{/if}}{{#if merge_request}} / MR !{{merge_request.iid}} {{merge_request.title}}{{/if}}',
    contents: {
      push: `{{user_name}} pushed {{total_commits_count}} commits to {{ref|branch}}.${commits}`,
      tag_push: '{{user_name}} pushed the tag {{ref|branch}}.',
      merge_request:
        '{{user.name}}: {{object_attributes.action}} [!{{object_attributes.iid}} {{object_attributes.title}}]({{object_attributes.url}}) from `{{object_attributes.source_branch}}` to `{{object_attributes.target_branch}}`.',
      issue:
        '{{user.name}}: {{object_attributes.action}} [#{{object_attributes.iid}} {{object_attributes.title}}]({{object_attributes.url}}).',
      note: '{{user.name}} [commented]({{object_attributes.url}}):\n\n{{object_attributes.note}}',
      pipeline:
        'Pipeline [{{object_attributes.id}}]({{project.web_url}}/-/pipelines/{{object_attributes.id}}) of `{{object_attributes.ref}}`: {{object_attributes.status}}.',
    },
  },
  gitea: {
    name: 'Gitea',
    event: '{{#if header.x-forgejo-event}}{{header.x-forgejo-event}}{{else}}{{header.x-gitea-event}}{{/if}}',
    topic:
      '{{repository.name}}{{#if commits}} / {{ref|branch}}{{/if}}{{#if pull_request}} / PR #{{pull_request.number}} {{pull_request.title}}{{else}}{{#if issue}} / issue #{{issue.number}} {{issue.title}}{{/if}}{{/if}}',
    contents: {
      push: `{{pusher.login}} pushed {{total_commits}} commits to {{ref|branch}}.${commits}`,
      create: '{{sender.login}} created the {{ref_type}} {{ref}}.',
      delete: '{{sender.login}} deleted the {{ref_type}} {{ref}}.',
      pull_request: `{{sender.login}}: {{action}} ${giteaSubject} from \`{{pull_request.head.ref}}\` to \`{{pull_request.base.ref}}\`.`,
      issues: `{{sender.login}}: {{action}} ${giteaSubject}.`,
      issue_comment: '{{sender.login}} [commented]({{comment.html_url}}):\n\n{{comment.body}}',
      release: '{{sender.login}}: {{action}} the release [{{release.name}}]({{release.html_url}}).',
    },
  },
  alertmanager: {
    name: 'Alertmanager',
    event: '{{status}}',
    topic: '{{#if groupLabels.alertname}}{{groupLabels.alertname}}{{else}}{{commonLabels.alertname}}{{/if}}',
    contents: {
      firing:
        ':alert: **FIRING**{{#each alerts}}\n* {{#if annotations.summary}}{{annotations.summary}}{{else}}{{labels.alertname}} {{labels.instance}}{{/if}}{{#if annotations.description}}: {{annotations.description}}{{/if}} ([source]({{generatorURL}})){{/each}}',
      resolved:
        ':squared_ok: **Resolved**{{#each alerts}}\n* {{#if annotations.summary}}{{annotations.summary}}{{else}}{{labels.alertname}} {{labels.instance}}{{/if}} ([source]({{generatorURL}})){{/each}}',
    },
  },
  grafana: {
    name: 'Grafana',
    event: '{{status}}',
    topic: '{{#if commonLabels.alertname}}{{commonLabels.alertname}}{{else}}{{title}}{{/if}}',
    contents: {
      firing:
        ':alert: **FIRING**{{#each alerts}}\n* {{labels.alertname}}{{#if annotations.summary}}: {{annotations.summary}}{{/if}}{{#if valueString}} `{{valueString}}`{{/if}} ([rule]({{generatorURL}}), [silence]({{silenceURL}})){{/each}}',
      resolved:
        ':squared_ok: **Resolved**{{#each alerts}}\n* {{labels.alertname}}{{#if annotations.summary}}: {{annotations.summary}}{{/if}} ([rule]({{generatorURL}})){{/each}}',
    },
  },
  sentry: {
    name: 'Sentry',
    event: '{{header.sentry-hook-resource}}',
    topic:
      '{{#if data.issue}}{{data.issue.project.slug}} / {{data.issue.title}}{{/if}}{{#if data.event}}{{data.event.title}}{{/if}}{{#if data.error}}{{data.error.title}}{{/if}}{{#if data.metric_alert}}{{data.metric_alert.alert_rule.name}}{{/if}}',
    contents: {
      issue:
        'Issue {{action}}: [{{data.issue.title}}]({{#if data.issue.web_url}}{{data.issue.web_url}}{{else}}{{data.issue.permalink}}{{/if}}){{#if data.issue.culprit}} in `{{data.issue.culprit}}`{{/if}}{{#if data.issue.assignedTo}}, assigned to {{data.issue.assignedTo.name}}{{/if}}.',
      error:
        ':alert: [{{data.error.title}}]({{data.error.web_url}}){{#if data.error.culprit}} in `{{data.error.culprit}}`{{/if}}',
      event_alert:
        ':alert: **{{data.triggered_rule}}**: [{{data.event.title}}]({{data.event.web_url}}){{#if data.event.culprit}} in `{{data.event.culprit}}`{{/if}}',
      metric_alert: '**{{data.description_title}}**: {{data.description_text}} ([alert]({{data.web_url}}))',
    },
  },
};
