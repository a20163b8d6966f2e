# Installs the packages of this folder's package-lock.json into TARGET, once for each state of that file: from the
# registry that npm's own configuration names, and without running their scripts.
# cmake -DSOURCE=… -DTARGET=… -DNPM=… -P install.cmake
file(SHA256 "${SOURCE}/package-lock.json" wanted)
set(stamp "${TARGET}/installed.sha256")
set(installed "")
if(EXISTS "${stamp}")
  file(READ "${stamp}" installed)
endif()
if(installed STREQUAL wanted)
  return()
endif()

if(NOT NPM)
  message(FATAL_ERROR "The test with the vendor's SDK needs npm. Install it (packaging/setup does), and build again.")
endif()
file(REMOVE "${stamp}")
file(COPY "${SOURCE}/package.json" "${SOURCE}/package-lock.json" DESTINATION "${TARGET}")
execute_process(
  COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund --loglevel=error
  WORKING_DIRECTORY "${TARGET}" RESULT_VARIABLE result TIMEOUT 540)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "npm could not install the vendor's SDK (${result}). It needs the package registry that npm's "
    "configuration names: connect this computer to it, or leave the test out with: ctest --label-exclude vendor")
endif()
file(WRITE "${stamp}" "${wanted}")
