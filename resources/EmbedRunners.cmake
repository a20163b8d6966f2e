# cmake -DROOT=dir -DOUTPUT=file.cpp -P EmbedRunners.cmake: writes the files of the runners as byte arrays.
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/*.py" "${ROOT}/*.cjs" "${ROOT}/*.sh")
list(SORT files)
set(arrays "")
set(rows "")
set(count 0)
foreach(name IN LISTS files)
  file(READ "${ROOT}/${name}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(LENGTH "${hex}" length)
  math(EXPR size "${length} / 2")
  string(APPEND arrays "constexpr unsigned char kFile${count}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", kFile${count}, ${size}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE "${OUTPUT}" "#include \"core/engine/runnerassets.h\"

namespace sandfish {
namespace {

${arrays}
} // namespace

const RunnerAsset kRunnerAssets[] = {
${rows}};
const std::size_t kRunnerAssetCount = ${count};

} // namespace sandfish
")
