#include "tests/bench/enginehost.h"

namespace sandfish::bench {
namespace {

constexpr std::uint64_t kMillionLinesBytes = 6'888'890;

void runText(Report &report, const std::string &language, const std::string &code, std::uint64_t wantedBytes, int count)
{
    EngineHost host;
    if (!host.isReady(report))
        return;
    CodeConnection connection(host.port());
    execute(connection, host, fullBody("1", language));
    for (int i = 0; i < count; ++i) {
        const Run run = execute(connection, host, fullBody(code, language));
        if (run.hasError || run.textBytes != wantedBytes)
            return report.fail("the text is not complete: " + std::to_string(run.textBytes) + " bytes");
        report.add("all text at the client", "s", run.endMs / 1e3);
        report.add("first text", "ms", run.firstMs);
    }
}

void runPrints(Report &report)
{
    runText(report, "python", "for i in range(1_000_000): print(i)", kMillionLinesBytes, repetitions(10));
}

void runPrintsJs(Report &report)
{
    runText(report, "javascript", "for (let i = 0; i < 1e6; ++i) console.log(i)", kMillionLinesBytes, repetitions(5));
}

void runLine(Report &report)
{
    runText(report, "python", "print('x' * 100_000_000)", 100'000'001, repetitions(3));
}

// Random grey pixels do not compress, so the picture has about as many bytes as pixels.
constexpr const char *kMakePicture = R"py(
import random, struct, zlib
from IPython.display import display, Image
def chunk(kind, data):
    body = kind + data
    return struct.pack('>I', len(data)) + body + struct.pack('>I', zlib.crc32(body))
rows = b''.join(b'\0' + random.randbytes(100) for _ in range(100))
picture = (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 100, 100, 8, 0, 0, 0, 0))
           + chunk(b'IDAT', zlib.compress(rows, 1)) + chunk(b'IEND', b''))
)py";

void runPictures(Report &report)
{
    constexpr int kPictures = 2000;
    EngineHost host;
    if (!host.isReady(report))
        return;
    CodeConnection connection(host.port());
    execute(connection, host, fullBody(kMakePicture));
    for (int i = 0; i < repetitions(3); ++i) {
        const Run run =
            execute(connection, host, fullBody("for _ in range(2000): display(Image(data=picture, format='png'))"));
        if (run.hasError || run.bundles != kPictures)
            return report.fail("only " + std::to_string(run.bundles) + " pictures came");
        report.add("all pictures at the client", "s", run.endMs / 1e3);
    }
}

} // namespace

std::vector<Row> outputRows()
{
    return {{"prints-engine", "one million print(i) at the engine's client, decoded", runPrints},
        {"prints-javascript", "one million console.log(i) at the engine's client", runPrintsJs},
        {"line-engine", "100 MB in one line at the engine's client", runLine},
        {"pictures-engine", "2,000 pictures of 10 kB at the engine's client", runPictures}};
}

} // namespace sandfish::bench
