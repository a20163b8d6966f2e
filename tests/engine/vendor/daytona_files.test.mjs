// The files of the service's own SDK, unmodified, against the engine (core/engine/PROTOCOL.md, section 5.3).
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Daytona, DaytonaFileNotFoundError } from '@daytonaio/sdk';

import { startDaemon } from './daemon.mjs';

const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 128, 10]);
let stopDaemon;
let daytona;
let sandbox;
let files;
let local;

before(async () => {
    stopDaemon = await startDaemon();
    daytona = new Daytona();
    sandbox = await daytona.create();
    files = sandbox.fs;
    local = mkdtempSync(join(tmpdir(), 'sandfish-files-'));
});

after(async () => {
    rmSync(local, { recursive: true, force: true });
    await sandbox?.delete();
    await daytona?.[Symbol.asyncDispose]();
    await stopDaemon?.();
});

test('upload_bytes_areDownloadedAgain', async () => {
    await files.uploadFile(bytes, 'new/folder/ünïcode "quoted".bin');
    assert.deepEqual(await files.downloadFile('new/folder/ünïcode "quoted".bin'), bytes);
    const seen = await sandbox.process.executeCommand('cat "new/folder/ünïcode \\"quoted\\".bin" | wc -c');
    assert.equal(seen.result.trim(), String(bytes.length));
});

test('upload_severalAndFromDisk_areAllThere', async () => {
    writeFileSync(join(local, 'source'), 'from disk');
    await files.uploadFiles([
        { source: Buffer.from('one'), destination: 'many/1' },
        { source: join(local, 'source'), destination: 'many/2' },
        { source: Buffer.alloc(0), destination: 'many/3' },
    ]);
    await files.downloadFile('many/2', join(local, 'target'));
    assert.equal(readFileSync(join(local, 'target'), 'utf8'), 'from disk');
    const results = await files.downloadFiles([{ source: 'many/1' }, { source: 'many/nothing' }]);
    assert.equal(results[0].result.toString(), 'one');
    assert.equal(results[1].errorDetails.statusCode, 404);
    assert.equal((await files.getFileDetails('many/3')).size, 0);
});

test('upload_large_arrivesWhole', async () => {
    const large = Buffer.alloc(20 * 1024 * 1024, 'large file ');
    await files.uploadFile(large, 'large');
    assert.ok(large.equals(await files.downloadFile('large')));
});

test('download_missing_isFileNotFound', async () => {
    await assert.rejects(files.downloadFile('missing'), DaytonaFileNotFoundError);
});

test('list_tellsOfEachEntry', async () => {
    await files.createFolder('listed/deep', '750');
    await files.uploadFile(Buffer.from('12345'), 'listed/file');
    const [deep, file] = await files.listFiles('listed');
    assert.equal(deep.name, 'deep');
    assert.equal(deep.isDir, true);
    assert.equal(deep.permissions, '0750');
    assert.equal(file.name, 'file');
    assert.equal(file.isDir, false);
    assert.equal(file.size, 5);
    assert.ok(Math.abs(Date.now() - Date.parse(file.modifiedAt)) < 600_000);
    const below = await files.listFiles('.', { depth: 2 });
    assert.ok(below.some((entry) => entry.path.endsWith('listed/deep')));
});

test('details_ofAFile', async () => {
    await files.uploadFile(Buffer.from('x'), 'detailed');
    const details = await files.getFileDetails('/home/user/detailed');
    assert.equal(details.name, 'detailed');
    assert.equal(details.owner, 'user');
    assert.match(details.mode, /^-rw/);
    await assert.rejects(files.getFileDetails('nowhere'), DaytonaFileNotFoundError);
});

test('permissions_areSet', async () => {
    await files.uploadFile(Buffer.from('#!/bin/sh\necho ran\n'), 'script');
    await files.setFilePermissions('script', { mode: '755' });
    assert.equal((await files.getFileDetails('script')).permissions, '0755');
    assert.equal((await sandbox.process.executeCommand('./script')).result, 'ran\n');
    await assert.rejects(files.setFilePermissions('script', { owner: 'root' }), (error) => error.statusCode === 403);
});

test('move_renames', async () => {
    await files.uploadFile(Buffer.from('moved'), 'from');
    await files.moveFiles('from', 'many-more');
    assert.equal((await files.downloadFile('many-more')).toString(), 'moved');
    await assert.rejects(files.getFileDetails('from'), DaytonaFileNotFoundError);
});

test('delete_folderNeedsRecursive', async () => {
    await files.uploadFile(Buffer.from('x'), 'doomed/a/b');
    await assert.rejects(files.deleteFile('doomed'), (error) => error.statusCode === 400);
    await files.deleteFile('doomed', true);
    await assert.rejects(files.getFileDetails('doomed'), DaytonaFileNotFoundError);
});

test('findFiles_givesLinesWithThePattern', async () => {
    await files.uploadFile(Buffer.from('first\n-n here: [x]\nlast\n'), 'found/a.txt');
    await files.uploadFile(Buffer.from('-n here: [x]'), 'found/with:colon\nand line.txt');
    const matches = await files.findFiles('found', '-n here: [x]');
    const a = matches.find((match) => match.file.endsWith('/a.txt'));
    assert.deepEqual([a.line, a.content], [2, '-n here: [x]']);
    assert.deepEqual(await files.findFiles('found', 'nowhere'), []);
    await assert.rejects(files.findFiles('no folder', 'x'), DaytonaFileNotFoundError);
});

test('searchFiles_givesNamesThatMatch', async () => {
    await files.uploadFile(Buffer.from('x'), 'searched/deep/one.py');
    await files.uploadFile(Buffer.from('x'), 'searched/two.txt');
    const { files: names } = await files.searchFiles('searched', '*.py');
    assert.equal(names.length, 1);
    assert.match(names[0], /searched\/deep\/one\.py$/);
});

test('replaceInFiles_tellsOfEachFile', async () => {
    await files.uploadFile(Buffer.from('a.b a.b acb'), 'replaced');
    const results = await files.replaceInFiles(['replaced', 'nothing'], 'a.b', '$1');
    assert.deepEqual(results.map((result) => result.success), [true, false]);
    assert.equal((await files.downloadFile('replaced')).toString(), '$1 $1 acb');
});

test('outside_isRefused', async () => {
    await assert.rejects(files.downloadFile('/etc/passwd'), (error) => error.statusCode === 403);
    await assert.rejects(files.uploadFile(Buffer.from('x'), '../../etc/x'));
});
