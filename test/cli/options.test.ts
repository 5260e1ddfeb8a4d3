import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { helpText, optionsMarkdown } from '../../src/cli/help.ts';
import { environmentName, loadOptions } from '../../src/cli/load-options.ts';
import { OPTIONS } from '../../src/cli/options.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { checkParserName } from '../../src/cli/parser-names.ts';
import { settingsFromOptions } from '../../src/cli/settings-from-options.ts';
import { StartupError } from '../../src/core/errors.ts';
import type { Settings } from '../../src/core/settings.ts';

const directory = mkdtempSync(join(tmpdir(), 'derender-options-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function settings(words: readonly string[], environment: Record<string, string> = {}): Settings {
  return settingsFromOptions(loadOptions(parseArguments(words), environment));
}

describe('the command line', () => {
  it('takes the model as an argument or an option', () => {
    expect(settings(['some/model']).model).toBe('some/model');
    expect(settings(['--model', 'some/model']).servedModelNames).toEqual(['some/model']);
    expect(settings(['--model=some/model', '--port=1']).port).toBe(1);
    expect(() => settings([])).toThrow(/No model given/);
    expect(() => settings(['a', 'b'])).toThrow(/Unexpected argument "b"/);
  });

  it('reads flags, their negation, and underscores', () => {
    expect(settings(['m', '--trust-request-chat-template']).trustRequestChatTemplate).toBe(true);
    expect(settings(['m', '--trust_request_chat_template']).trustRequestChatTemplate).toBe(true);
    expect(settings(['m', '--trust-request-chat-template', '--no-trust-request-chat-template']).trustRequestChatTemplate).toBe(false);
    expect(settings(['m', '--trust-request-chat-template=false']).trustRequestChatTemplate).toBe(false);
    expect(settings(['m', '--disable-docs']).disableDocs).toBe(true);
  });

  it('reads several values', () => {
    expect(settings(['m', '--api-key', 'k1', 'k2', '--served-model-name', 'a'])).toMatchObject({
      apiKeys: ['k1', 'k2'],
      servedModelNames: ['a'],
    });
    expect(settings(['m', '--api-key', 'k1', '--api-key', 'k2', 'k3']).apiKeys).toEqual(['k2', 'k3']);
    expect(settings(['m', '--api-key=k,1']).apiKeys).toEqual(['k,1']);
    expect(() => settings(['m', '--api-key', '--port', '1'])).toThrow(/--api-key needs a value/);
  });

  it('reads JSON whole and by members', () => {
    expect(settings(['m', '--default-chat-template-kwargs', '{"a": {"b": 1}}']).defaultChatTemplateKwargs).toEqual({ a: { b: 1 } });
    const words = [
      '--default-chat-template-kwargs.enable_thinking',
      'false',
      '--default-chat-template-kwargs.a.b=text',
      '--default_chat_template_kwargs.list+',
      'x,y',
      '--default-chat-template-kwargs.list+=z',
    ];
    expect(settings(['m', ...words]).defaultChatTemplateKwargs).toEqual({
      enable_thinking: false,
      a: { b: 'text' },
      list: ['x', 'y', 'z'],
    });
    expect(() => settings(['m', '--default-chat-template-kwargs', '{'])).toThrow(/must be JSON/);
    expect(() => settings(['m', '--default-chat-template-kwargs', '[1]'])).toThrow(/must be a JSON object/);
    expect(() => settings(['m', '--port.a', '1'])).toThrow(/takes no members/);
  });

  it.each([
    ['4096', 4096],
    ['4k', 4000],
    ['4K', 4096],
    ['1.5k', 1500],
    ['auto', null],
    ['-1', null],
  ])('--max-model-len %s', (text, value) => {
    expect(settings(['m', '--max-model-len', text]).maxModelLen).toBe(value);
  });

  it.each([
    [['--tool-call-parse', 'x'], /is no option.*mean --tool-call-parser\?/],
    [['--tool-parser', 'x'], /mean --tool-call-parser\?/],
    [['--trust-remote-code'], /--trust-remote-code is no option[^]*--tool-call-parser/],
    [['-x'], /Unknown option -x/],
    [['--port', 'x'], /--port must be a whole number, not "x"/],
    [['--port', '70000'], /at most 65535/],
    [['--template-now', 'soon'], /--template-now must be an ISO time/],
    [['--port'], /--port needs a value/],
    [['--max-model-len', '0'], /at least 1/],
    [['--log-level', 'inf'], /must be one of .*mean info\?/],
    [['--reasoning-effort-map', '{"lots": "high"}'], /no reasoning effort/],
    [['--enable-auto-tool-choice'], /needs --tool-call-parser/],
    [['--ssl-keyfile', 'x'], /needs --ssl-certfile/],
    [['--chat-template', 'nowhere.jinja'], /neither a readable file nor a template/],
    [['--config', 'nowhere.yaml'], /nowhere\.yaml cannot be read/],
  ])('%s is refused', (words, message) => {
    expect(() => settings(['m', ...words])).toThrow(StartupError);
    expect(() => settings(['m', ...words])).toThrow(message);
  });

  it('reads a template from a file, or takes it as it is', () => {
    expect(settings(['m', '--chat-template', file('t.jinja', 'a\r\nb\n')]).chatTemplate).toBe('a\nb\n');
    expect(settings(['m', '--chat-template', '{{ x }}']).chatTemplate).toBe('{{ x }}');
  });

  it('knows --help and --version anywhere', () => {
    expect(parseArguments(['m', '--help'])).toMatchObject({ help: true });
    expect(parseArguments(['-v'])).toMatchObject({ version: true });
  });
});

describe('where values come from', () => {
  it('the command line wins over the environment, the environment over the file, the file over the default', () => {
    const config = file(
      'c.yaml',
      'model: from-file\nport: 3\nhost: 127.0.0.3\nlog_level: warn\nserved-model-name: [a, b]\ndefault-chat-template-kwargs: {x: 1}\ntrust-request-chat-template: true\n',
    );
    const given = settings(['--config', config, '--port', '1'], { DERENDER_PORT: '2', DERENDER_HOST: '127.0.0.2' });
    expect(given).toMatchObject({
      model: 'from-file',
      port: 1,
      host: '127.0.0.2',
      logLevel: 'warn',
      servedModelNames: ['a', 'b'],
      defaultChatTemplateKwargs: { x: 1 },
      trustRequestChatTemplate: true,
      maxLogprobs: 20,
    });
  });

  it('lists in the environment are separated by commas, or JSON', () => {
    expect(settings(['m'], { DERENDER_API_KEY: 'a, b' }).apiKeys).toEqual(['a', 'b']);
    expect(settings(['m'], { DERENDER_API_KEY: '["a,b"]' }).apiKeys).toEqual(['a,b']);
  });

  it('the file may be named in the environment', () => {
    expect(settings([], { DERENDER_CONFIG: file('d.yaml', 'model: x') }).model).toBe('x');
  });

  it('a Kubernetes service variable is no port', () => {
    expect(settings(['m'], { DERENDER_PORT: 'tcp://10.0.0.1:8000' }).port).toBe(8000);
  });

  it('the hub token may come from where other tools look for it', () => {
    expect(settings(['m'], { HF_TOKEN: 't' }).hfToken).toBe('t');
    expect(settings(['m'], { HF_TOKEN: 't', DERENDER_HF_TOKEN: 'u' }).hfToken).toBe('u');
  });

  it('a broken file is refused', () => {
    expect(() => settings(['m', '--config', file('e.yaml', 'a: [')])).toThrow(/not valid YAML/);
    expect(() => settings(['m', '--config', file('f.yaml', '- a')])).toThrow(/must hold option names/);
    expect(() => settings(['m', '--config', file('g.yaml', 'prot: 1')])).toThrow(/mean --port\?/);
    expect(() => settings(['m', '--config', file('h.yaml', 'port: {a: 1}')])).toThrow(/single value/);
  });

  it('secrets are not repeated in messages', () => {
    expect(() => settings(['m'], { DERENDER_PORT: 'x' })).toThrow(/"x"/);
    const secrets = OPTIONS.filter((option) => option.secret).map((option) => option.name);
    expect(secrets).toEqual(['hf-token', 'stream-state-key', 'api-key', 'ssl-keyfile-password']);
  });
});

describe('parser names', () => {
  it('unknown ones are refused with the nearest', () => {
    expect(() => checkParserName('--tool-call-parser', 'herms', ['hermes', 'pythonic'])).toThrow(
      /no parser called "herms"\. Did you mean hermes\?\nNames: hermes, pythonic/,
    );
    expect(() => checkParserName('--tool-call-parser', 'qqq', ['hermes'])).toThrow(/called "qqq"\.\nNames/);
    checkParserName('--tool-call-parser', 'hermes', ['hermes']);
    checkParserName('--tool-call-parser', null, ['hermes']);
  });
});

describe('lists of the options', () => {
  it('name every option and variable once', () => {
    const help = helpText(['serve']);
    const markdown = optionsMarkdown();
    for (const option of OPTIONS) {
      expect(help).toContain(`\n  --${option.name}`);
      expect(markdown).toContain(`\`${environmentName(option)}\``);
    }
    expect(new Set(OPTIONS.map((option) => option.name)).size).toBe(OPTIONS.length);
    expect(help.split('\n').every((line) => line.length <= 130)).toBe(true);
  });
});
