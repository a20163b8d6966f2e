# Compiler rules of every target, and the functions that declare a layer, a program and a test.

add_library(sandfish_options INTERFACE)
target_include_directories(sandfish_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(sandfish_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wno-missing-field-initializers $<$<BOOL:${SANDFISH_WERROR}>:-Werror>)
if(SANDFISH_SANITIZE)
  target_compile_options(sandfish_options INTERFACE -fsanitize=${SANDFISH_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(sandfish_options INTERFACE -fsanitize=${SANDFISH_SANITIZE})
endif()

# Rules for code that uses Qt.
add_library(sandfish_qt_options INTERFACE)
target_compile_definitions(sandfish_qt_options INTERFACE QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII
  QT_NO_URL_CAST_FROM_STRING QT_NO_CAST_FROM_BYTEARRAY QT_NO_FOREACH QT_STRICT_ITERATORS
  QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_USE_QSTRINGBUILDER)

# sandfish_add_layer(NAME n [QT] [SEPARATE] [PUBLIC libs...] [PRIVATE libs...] SOURCES files...)
# One static library. QT switches moc and the Qt rules on; without it a Qt include does not even resolve.
# SEPARATE keeps its sources apart in a unity build, for layers whose files use the same names privately.
function(sandfish_add_layer)
  cmake_parse_arguments(ARG "QT;SEPARATE" "NAME" "PUBLIC;PRIVATE;SOURCES" ${ARGN})
  add_library(${ARG_NAME} STATIC ${ARG_SOURCES})
  target_link_libraries(${ARG_NAME} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE} sandfish_options)
  target_include_directories(${ARG_NAME} PUBLIC "${PROJECT_SOURCE_DIR}")
  if(ARG_SEPARATE)
    set_target_properties(${ARG_NAME} PROPERTIES UNITY_BUILD OFF)
  endif()
  if(ARG_QT)
    target_link_libraries(${ARG_NAME} PRIVATE sandfish_qt_options)
    set_target_properties(${ARG_NAME} PROPERTIES AUTOMOC ON)
  endif()
endfunction()

# sandfish_add_program(NAME n [QT] LIBS libs... SOURCES files...)
function(sandfish_add_program)
  cmake_parse_arguments(ARG "QT" "NAME" "LIBS;SOURCES" ${ARGN})
  add_executable(${ARG_NAME} ${ARG_SOURCES})
  target_link_libraries(${ARG_NAME} PRIVATE ${ARG_LIBS} sandfish_options)
  if(ARG_QT)
    target_link_libraries(${ARG_NAME} PRIVATE sandfish_qt_options)
    set_target_properties(${ARG_NAME} PROPERTIES AUTOMOC ON)
  endif()
endfunction()

# sandfish_add_test(NAME tst_x LIBS libs... [SOURCES files...] [LABELS l...] [TIMEOUT s])
# A Qt Test program from NAME.cpp in the calling folder; runs off-screen.
function(sandfish_add_test)
  cmake_parse_arguments(ARG "" "NAME;TIMEOUT" "LIBS;SOURCES;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${ARG_NAME} ${ARG_NAME}.cpp ${ARG_SOURCES})
  target_link_libraries(${ARG_NAME} PRIVATE ${ARG_LIBS} Qt6::Test sandfish_options sandfish_qt_options)
  set_target_properties(${ARG_NAME} PROPERTIES AUTOMOC ON UNITY_BUILD OFF
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
  target_compile_definitions(${ARG_NAME} PRIVATE
    SANDFISH_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SANDFISH_BINARY_DIR="${PROJECT_BINARY_DIR}")
  # What is tested is optimised; the test itself need not be, and compiles five times as fast.
  target_compile_options(${ARG_NAME} PRIVATE -O0)
  add_test(NAME ${ARG_NAME} COMMAND ${ARG_NAME})
  set_tests_properties(${ARG_NAME} PROPERTIES TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "QT_QPA_PLATFORM=offscreen"
    LABELS "${ARG_LABELS}")
endfunction()
